import { expect, test } from "vitest";
import { changeOf } from "./AuditTrail";

const LIMITS = { runs: null, uploads_per_day: null };

test("a limit that is set, changed or lifted reads as what happened", () => {
  expect(changeOf({ before: LIMITS, after: { ...LIMITS, runs: 17 } })).toBe("runs: none → 17");
  expect(changeOf({ before: { ...LIMITS, runs: 17 }, after: { ...LIMITS, runs: 18 } })).toBe("runs: 17 → 18");
  expect(changeOf({ before: { ...LIMITS, uploads_per_day: 1 }, after: LIMITS })).toBe("uploads per day: 1 → none");
});

test("what was made or removed is named with its values", () => {
  expect(changeOf({ before: null, after: { name: "ci", scope: "engineer" } })).toBe("name: ci, scope: engineer");
  expect(changeOf({ before: { name: "ci" }, after: null })).toBe("name: ci");
  expect(changeOf({ before: null, after: null })).toBe("");
});
