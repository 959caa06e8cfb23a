import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { show } from "@/test/render";
import { Place } from "./Sharing";

const place = (rows: readonly object[], run_not_rated: string | null) =>
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ rows, run_not_rated })));

test("a run that is no test of a drive says why", async () => {
  place([], "its load is not stated as a multiple of ACT's; state it among the facts of the run");
  show(<Place runId="0190a0f0-0000-7000-8000-000000000001" />);
  expect(await screen.findByText(/^Not among the drives: its load is not stated as a multiple of ACT's/)).toBeDefined();
});

test("a run without a row and without a reason is still to be judged", async () => {
  place([], null);
  show(<Place runId="0190a0f0-0000-7000-8000-000000000001" />);
  expect(await screen.findByText(/once it has been judged/)).toBeDefined();
});
