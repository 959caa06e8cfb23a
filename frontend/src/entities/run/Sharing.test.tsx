import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import type { NameKind, RunNames } from "@/api/uploads";
import { show } from "@/test/render";
import { NamesShown } from "./Sharing";

const NAMES: RunNames = { hosts: ["bench-01"], devices: ["nvme0n1", "nvme1n1"], paths: [], notes: [] };

function Dialog({ names }: { names: RunNames }) {
  const [shown, setShown] = useState<NameKind[]>([]);
  return (
    <>
      <NamesShown names={names} shown={shown} onShown={setShown} />
      <output>{shown.join()}</output>
    </>
  );
}

test("every kind of name is listed with its names, and none is shown until it is ticked", async () => {
  show(<Dialog names={NAMES} />);
  const boxes = screen.getAllByRole<HTMLInputElement>("checkbox");
  expect(boxes.map(({ checked }) => checked)).toEqual([false, false]);
  expect(screen.getByText("Others read “device 1”")).toBeDefined();
  await userEvent.click(screen.getByRole("checkbox", { name: "Devices: nvme0n1, nvme1n1" }));
  expect(screen.getByRole("status").textContent).toBe("devices");
  expect(screen.getByText("Others read “host 1”")).toBeDefined();
  await userEvent.click(screen.getByRole("checkbox", { name: "Devices: nvme0n1, nvme1n1" }));
  expect(screen.getByRole("status").textContent).toBe("");
});

test("a file that names nothing asks for nothing", () => {
  const { container } = render(
    <NamesShown names={{ ...NAMES, hosts: [], devices: [] }} shown={[]} onShown={() => {}} />,
  );
  expect(container.textContent).toBe("");
});
