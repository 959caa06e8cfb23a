import { expect, it } from "vitest";
import { latestText } from "./Home";

const text = (...verdicts: Parameters<typeof latestText>[0][number][]): string => {
  const { key, after } = latestText(verdicts);
  return `${key}${after}`;
};

it("counts what my latest runs answer, in the order of the answers", () => {
  expect(text("FAIL", "PASS", "PASS", "INDETERMINATE")).toBe("2 of my 4 latest runs keep it; 1 fails, 1 undecided.");
  expect(text("FAIL", "FAIL", "INDETERMINATE")).toBe("None of my 3 latest runs keep it; 2 fail, 1 undecided.");
  expect(text("PASS", "FAIL", "FAIL")).toBe("1 of my 3 latest runs keeps it; 2 fail.");
  expect(text("PASS")).toBe("1 of my 1 latest run keeps it.");
});
