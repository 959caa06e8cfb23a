import { expect, test } from "vitest";
import type { BudgetItem } from "@/api/types";
import { nextVersion, patternOf, problemOf } from "./Budgets";

const item = {
  document: { kind: "exceedance", name: "act-limits", version: 3, title: "ACT", operation: "read", limits: [] },
  built_in: true,
  applies_to: ["act-storage"],
  is_newest: true,
  created_at: null,
} as unknown as BudgetItem;

test("a new version is the same document with the next number", () => {
  const { text, appliesTo } = nextVersion(item);
  expect(JSON.parse(text)).toEqual({ ...item.document, version: 4 });
  expect(appliesTo).toEqual(["act-storage"]);
});

test("a built-in budget is a pattern under a name of one's own", () => {
  expect(JSON.parse(patternOf(item).text)).toMatchObject({ name: "my-act-limits", version: 1, title: "My ACT" });
});

test("what is no document is said before it is sent", () => {
  expect(problemOf("{")).toContain("no JSON");
  expect(problemOf("[1]")).toContain("no JSON object");
  expect(problemOf("{}")).toBeNull();
});
