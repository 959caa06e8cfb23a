import { expect, test } from "vitest";
import { goesOn } from "./sla";

test("a match goes on while configurations are left, and not for ever", () => {
  expect(goesOn(61, 1)).toBe(true);
  expect(goesOn(0, 1)).toBe(false);
  // More runs than are looked at: what is left stays left.
  expect(goesOn(4_000, 30)).toBe(false);
});
