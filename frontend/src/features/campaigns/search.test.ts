import { describe, expect, it } from "vitest";
import { NO_SEARCH, searchOf } from "./SearchFields";

describe("a search as it is asked for", () => {
  it("is none where the phases of the plan are measured", () => {
    expect(searchOf(null)).toBeNull();
  });

  it("leaves out what was not typed", () => {
    const draft = { ...NO_SEARCH, objective: " p99 get < 5ms ", top_per_s: 9_000 };
    expect(searchOf(draft)).toMatchObject({
      objective: "p99 get < 5ms",
      phase: null,
      start_per_s: null,
      top_per_s: 9_000,
      probe_s: 20,
    });
  });
});
