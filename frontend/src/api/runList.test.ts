import { describe, expect, it } from "vitest";
import { runSummary } from "@/test/fixtures";
import { newsEveryMs, withNews } from "./queries";
import type { RunPage, RunSummary } from "./types";

const run = (id: string, changes: Partial<RunSummary> = {}): RunSummary =>
  runSummary({ run_id: id, state: "finished", ...changes });
const page = (ids: string, total: number, next: string | null = "next"): RunPage => ({
  runs: [...ids].map((id) => run(id)),
  next_cursor: next,
  total,
  total_is_exact: true,
});
const listOf = (...pages: RunPage[]) => ({ pages, pageParams: pages.map((_, index) => (index === 0 ? null : "next")) });
const idsOf = (list: { pages: RunPage[] }): string =>
  list.pages.map((one) => one.runs.map((found) => found.run_id).join("")).join("|");

describe("the news of a list of runs", () => {
  it("replace its first page where only that is loaded", () => {
    expect(idsOf(withNews(listOf(page("abc", 3)), page("xab", 4), []))).toBe("xab");
  });

  it("keep what a new run pushed off the first page, in its place", () => {
    expect(idsOf(withNews(listOf(page("abc", 6), page("def", 6)), page("xab", 7), []))).toBe("xab|cdef");
  });

  it("move a run that came to the front, and show it once", () => {
    expect(idsOf(withNews(listOf(page("abc", 6), page("def", 6)), page("eab", 6), []))).toBe("eab|cdf");
  });

  it("drop a run that was deleted", () => {
    expect(idsOf(withNews(listOf(page("abc", 6), page("def", 6)), page("acd", 5), []))).toBe("acd|ef");
  });

  it("renew live runs further down", () => {
    const list = listOf(page("ab", 4), page("cd", 4));
    const renewed = withNews(list, page("ab", 4), [run("d", { title: "moved on" })]);
    expect(renewed.pages[1]?.runs.map((found) => found.title)).toEqual([run("c").title, "moved on"]);
  });

  it("are asked for often only while a run moves", () => {
    const live = { ...page("ab", 2), runs: [run("a", { state: "running" })] };
    expect(newsEveryMs(listOf(page("ab", 2)))).toBeGreaterThan(newsEveryMs(listOf(page("ab", 2), live)));
  });
});
