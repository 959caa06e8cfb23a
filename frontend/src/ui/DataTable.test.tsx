import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { show } from "@/test/render";
import { ACTIONS, DataTable, RIGHT } from "./DataTable";

const ROWS = [{ name: "north", runs: 3 }];

function Counted() {
  const [count, setCount] = useState(0);
  return (
    <DataTable
      label="Agents, as a table"
      plain="cards"
      rows={ROWS}
      rowId={({ name }) => name}
      columns={[
        { header: "Agent", accessorKey: "name", meta: { isRowHeader: true } },
        { header: "Runs", accessorFn: ({ runs }) => `${runs + count}`, meta: RIGHT },
        {
          ...ACTIONS,
          accessorFn: () => (
            <button type="button" onClick={() => setCount(count + 1)}>
              More
            </button>
          ),
        },
      ]}
    />
  );
}

it("shows a cell as it is now, also where the rows stay the same", async () => {
  show(<Counted />);
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  expect(screen.getByRole("row", { name: /north/ }).textContent).toBe("north5More");
  expect(screen.getByRole("rowheader", { name: "north" })).toBeDefined();
  expect(screen.getByRole("columnheader", { name: "What to do with it" })).toBeDefined();
});

function Inserting() {
  const [names, setNames] = useState(["north"]);
  return (
    <DataTable
      label="Agents, as a table"
      rows={names}
      rowId={(name) => name}
      columns={[
        {
          ...ACTIONS,
          accessorFn: (name: string) => (
            <button type="button" onClick={() => setNames(["east", "north"])}>
              {name}
            </button>
          ),
        },
      ]}
    />
  );
}

it("leaves the focus where it is when a row is inserted above all others", async () => {
  show(<Inserting />);
  await userEvent.click(screen.getByRole("button", { name: "north" }));
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["east", "north"]);
  expect(document.activeElement?.textContent).toBe("north");
});

it("puts the rows of a group under its heading, and spans what they have in common", () => {
  const rows = [
    { drive: "PM9A3", load: "1x" },
    { drive: "PM9A3", load: "3x" },
    { drive: "P5520", load: "1x" },
  ];
  show(
    <DataTable
      label="Loads, as a table"
      plain
      rows={rows}
      rowId={({ drive, load }) => `${drive} ${load}`}
      groupOf={({ drive }) => drive}
      headingOf={({ drive }) => `Tests of ${drive}`}
      columns={[
        { header: "Drive", accessorKey: "drive", meta: { isRowHeader: true, spansGroup: true } },
        { header: "Load", accessorKey: "load", meta: { cell: ({ load }) => ({ title: `load of ${load}` }) } },
      ]}
    />,
  );
  const groups = screen.getAllByRole("rowgroup").slice(1);
  expect(groups.map(({ textContent }) => textContent)).toEqual(["Tests of PM9A3PM9A31x3x", "Tests of P5520P55201x"]);
  expect(screen.getByRole("rowheader", { name: "PM9A3" }).getAttribute("rowspan")).toBe("2");
  expect(screen.getByTitle("load of 3x")).toBeDefined();
});
