import { expect, test } from "vitest";
import { factsText } from "./suggestions";

const fact = (field: string, as_printed: string, unit: string | null, source_text: string) => ({
  field,
  as_printed,
  unit,
  source_text,
  capacity_bytes: null,
});

test("each source is named once, after what it says", () => {
  const facts = [
    fact("interface", "NVMe", null, "sheet"),
    fact("capacity", "1e+12", "bytes", "sheet"),
    fact("power", "9", "W", "label"),
  ];
  expect(factsText(facts).replaceAll(/\s/g, " ")).toBe("interface NVMe · capacity 1 TB (sheet) · power 9 W (label)");
});
