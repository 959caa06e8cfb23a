import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DrivePage } from "@/api/drivePage";
import { show } from "@/test/render";
import { Variants } from "./Variants";

type Variant = DrivePage["variants"][number];

const variant = (number: number, drives: number, traits: Variant["traits"]): Variant => ({
  number,
  firmware: "1.0",
  capacity_bytes: 4e11,
  drives,
  tests: drives,
  traits,
});

describe("variants of a drive", () => {
  it("are shown with the traits in which they differ", () => {
    const maker = (text: string) => ({ label: "Maker", text });
    const page = { label: "Log page C0h", text: "offered" };
    show(<Variants variants={[variant(1, 2, [maker("8086:3702"), page]), variant(2, 1, [maker("8086:3703")])]} />);
    expect(screen.getByRole("heading").textContent).toBe("Tested drives of one name differ: 2 variants");
    expect(screen.getAllByRole("row").map((row) => row.textContent?.replaceAll("\u00a0", " "))).toEqual([
      "VariantFirmwareCapacityMakerLog page C0hTested",
      "11.0400 GB8086:3702offered2 drives, 2 tests",
      "21.0400 GB8086:3703—unknown: these drives do not state it1 drive, 1 test",
    ]);
  });

  it("have no section where there are none", () => {
    show(<Variants variants={[]} />);
    expect(screen.queryByRole("heading")).toBeNull();
  });
});
