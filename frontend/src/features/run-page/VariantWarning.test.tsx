import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { show } from "@/test/render";
import { Warnings } from "./RunPage";

const variant = {
  drive: { slug: "fast-one", vendor: "Fast", name: "One" },
  firmware: "2.0",
  capacity_bytes: null,
  rated: [],
  warnings: ["This drive has firmware 2.0; tests of its model were made with 1.0."],
};

describe("the drive of a run beside the tested ones", () => {
  it("is warned of where it is another variant, with the way to the tests", () => {
    show(<Warnings variant={variant} />);
    expect(screen.getByRole("note").textContent).toContain("firmware 2.0");
    expect(screen.getByRole("link").textContent).toBe("Tests of Fast One");
  });

  it("is not mentioned where it is one of them, or unknown", () => {
    show(<Warnings variant={{ ...variant, warnings: [] }} />);
    show(<Warnings variant={{ ...variant, drive: null }} />);
    expect(screen.queryByRole("note")).toBeNull();
  });
});
