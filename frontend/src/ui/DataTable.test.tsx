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
