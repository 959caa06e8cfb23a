import { describe, expect, it } from "vitest";
import { compact, oneOf, text } from "./search";

describe("view state in the address", () => {
  it("keeps what is understood and drops the rest", () => {
    expect(oneOf("log", ["auto", "log"])).toBe("log");
    expect(oneOf("cubic", ["auto", "log"])).toBeUndefined();
    expect(oneOf(7, ["auto"])).toBeUndefined();
    expect(text("  nvme  ")).toBe("nvme");
    expect(text(1024)).toBe("1024");
    expect(text("")).toBeUndefined();
    expect(text({})).toBeUndefined();
    expect(text("x".repeat(300))).toHaveLength(200);
  });

  it("leaves out keys without a value", () => {
    expect(compact({ a: undefined, b: "x" })).toStrictEqual({ b: "x" });
  });
});
