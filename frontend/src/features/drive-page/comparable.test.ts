import { describe, expect, it } from "vitest";
import { countKinds, reasonKind, reasonText } from "./Comparability";

const times = "not comparable because different times were taken (device time and response time)";
const flash = "not comparable because different shares of the flash were kept free (over-provisioned and none)";
const capacity = "not comparable because the capacities differ: another drive of the same model";

describe("reasons against comparing", () => {
  it("are not begun twice", () => {
    expect(reasonText(times)).toBe("different times were taken (device time and response time)");
    expect(reasonText("another load.")).toBe("another load");
  });

  it("are counted by kind over pairs", () => {
    expect(reasonKind(capacity)).toBe("the capacities differ");
    expect(
      countKinds([
        { row_ids: ["a", "b"], reasons: [times] },
        { row_ids: ["a", "c"], reasons: [flash, times, times.replace("device", "total")] },
        { row_ids: ["b", "c"], reasons: [capacity] },
      ]),
    ).toStrictEqual([
      { kind: "different times were taken", pairs: 2 },
      { kind: "different shares of the flash were kept free", pairs: 1 },
      { kind: "the capacities differ", pairs: 1 },
    ]);
    expect(countKinds([])).toStrictEqual([]);
  });
});
