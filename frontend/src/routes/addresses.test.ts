import { describe, expect, it } from "vitest";
import { runListSearch } from "@/features/run-list/address";
import { runSearch } from "@/features/run-page/address";
import { signInSearch } from "@/features/sign-in/address";

describe("addresses", () => {
  it("keep the filters of the list and leave out defaults", () => {
    expect(runListSearch({ state: "running", workload: "act-storage", q: " nvme ", sort: "title" })).toStrictEqual({
      state: "running",
      workload: "act-storage",
      q: "nvme",
      sort: "title",
    });
    expect(runListSearch({ state: "asleep", q: "", sort: "-started", other: 1 })).toStrictEqual({});
  });

  it("keep what the charts of a run show", () => {
    expect(runSearch({ operation: "read", clock: "service", scale: "log" })).toStrictEqual({
      operation: "read",
      clock: "service",
      scale: "log",
    });
    expect(runSearch({ clock: "wall", scale: "auto" })).toStrictEqual({});
  });

  it.each(["https://example.org/", "//example.org", "/\\example.org", "javascript:alert(1)", "runs"])(
    "never lead to %s after signing in",
    (from) => {
      expect(signInSearch({ from })).toStrictEqual({});
    },
  );

  it("lead back to where one was", () => {
    expect(signInSearch({ from: "/runs?state=running" })).toStrictEqual({ from: "/runs?state=running" });
  });
});
