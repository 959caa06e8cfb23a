import { expect, test } from "vitest";
import { leftOut, MATCH_PAGE, needsRefetch } from "./sla";

test("a match goes on while configurations are left, and not for ever", () => {
  expect(needsRefetch(61, 1)).toBe(true);
  expect(needsRefetch(0, 1)).toBe(false);
  // More runs than the server judges: the rest stays unjudged.
  expect(needsRefetch(4_000, 30)).toBe(false);
});

test("a page that ended early is asked for again, a full one is not", () => {
  const full = Array.from({ length: MATCH_PAGE });
  expect(leftOut({ not_looked_at: 0, next_cursor: "next", items: [1, 2] })).toBe(MATCH_PAGE - 2);
  expect(leftOut({ not_looked_at: 0, next_cursor: "next", items: full })).toBe(0);
  expect(leftOut({ not_looked_at: 0, next_cursor: null, items: [1, 2] })).toBe(0);
});
