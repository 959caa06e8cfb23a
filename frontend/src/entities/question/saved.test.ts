// What a browser has stored may be of another version, or nobody's.
import { describe, expect, it } from "vitest";
import { readSaved } from "./saved";

describe("saved questions", () => {
  it("come back with their words", () => {
    const [first] = readSaved(JSON.stringify([{ reads: 250, window: "1s", reserve: "400ms", objective: 99.9 }]));
    expect(first?.text).toMatch(/^250 reads one after another within 1\ss/);
    expect(first?.search).toEqual({ reads: 250, window: "1s", reserve: "400ms", objective: 99.9 });
  });

  it.each([undefined, "", "{", "null", "7", "[null]", '["x"]', '[{"reads":"many"}]', "[{}]"])(
    "leaves out what is none: %s",
    (stored) => {
      expect(readSaved(stored)).toEqual([]);
    },
  );
});
