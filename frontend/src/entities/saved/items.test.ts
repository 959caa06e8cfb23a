// Stored text can be from another version or invalid.
import { describe, expect, it } from "vitest";
import { driveItem, placeOf, questionItem, questionOf, readItems, shortlistItem } from "./items";

const question = { reads: 250, window: "1s", reserve: "400ms", objective: 99.9 };

describe("saved places", () => {
  it("come back with their words and their address", () => {
    const saved = questionItem({ ...question, sched: undefined } as never);
    expect(saved?.title).toMatch(/^250 reads one after another within 1\ss/);
    const [read] = readItems(JSON.stringify([saved]));
    if (read === undefined) throw new Error("not read");
    expect(questionOf(read)).toEqual(question);
    expect(placeOf(read)).toMatchObject({ to: "/sla", search: question });
    const list = shortlistItem("samsung-830.1f*intel.2e", ["Samsung 830", "Intel"]);
    expect(placeOf(list)).toEqual({ to: "/drives", search: { compare: "open", pick: "samsung-830.1f*intel.2e" } });
    expect(placeOf(driveItem("intel-dc-s3700", "Intel DC S3700"))).toEqual({
      to: "/drives/intel-dc-s3700",
      search: {},
    });
  });

  it("are no question where none can be read", () => {
    expect(questionItem({})).toBeNull();
    expect(questionItem({ reads: "many" })).toBeNull();
  });

  it.each([
    "",
    "{",
    "null",
    "7",
    "[null]",
    '["x"]',
    "[{}]",
    '[{"kind":"drive","address":"//evil.example","title":"x"}]',
    '[{"kind":"drive","address":"/drives/x","title":""}]',
    '[{"kind":"other","address":"/drives/x","title":"x"}]',
  ])("leave out what is none: %s", (stored) => {
    expect(readItems(stored)).toEqual([]);
  });
});
