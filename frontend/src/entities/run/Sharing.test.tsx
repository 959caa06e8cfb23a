import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RunDetail } from "@/api/types";
import { NamesShown } from "./Sharing";

const series = [
  { host: "bench-01", device: null },
  { host: "bench-01", device: "/dev/nvme0n1" },
] as RunDetail["series"];

test("every name of one's own machines that becomes visible is listed, once", () => {
  render(<NamesShown run={{ host_name: "bench-01", target_name: "Kioxia CD8P", series }} />);
  const told = screen.getAllByRole("definition").map(({ textContent }) => textContent);
  expect(told).toEqual(["bench-01", "Kioxia CD8P", "/dev/nvme0n1"]);
});

test("a file that names nothing shows no list", () => {
  const { container } = render(<NamesShown run={{ host_name: null, target_name: null, series: [] }} />);
  expect(container.textContent).toBe("");
});
