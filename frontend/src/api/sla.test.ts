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
  const ended = { not_looked_at: 0, next_cursor: "next", items: [1, 2] };
  expect(leftOut([])).toBe(0);
  expect(leftOut([ended])).toBe(MATCH_PAGE - 2);
  expect(leftOut([{ ...ended, items: full }])).toBe(0);
  expect(leftOut([{ ...ended, next_cursor: null }])).toBe(0);
});

test("a page is asked for again if configurations were judged after it, which may belong on it", () => {
  const items = Array.from({ length: MATCH_PAGE });
  const first = { not_looked_at: 13, next_cursor: "next", items };
  expect(leftOut([first, { not_looked_at: 0, next_cursor: null, items: [1] }])).toBe(13);
});
