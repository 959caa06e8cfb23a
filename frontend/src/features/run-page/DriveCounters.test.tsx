import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { show } from "@/test/render";
import { DriveSection } from "./DriveCounters";

const figure = { key: "media_errors", unit: "count", source: "smart" };
const drive = {
  disk: "nvme0n1",
  devices: ["/dev/nvme0n1"],
  from_ns: -1,
  to_ns: 5,
  is_to_the_end: true,
  figures: [
    { ...figure, label: "Media errors", text: "2", lower: 2, upper: 2, reason: null },
    {
      ...figure,
      key: "x",
      label: "Written to the flash",
      text: "not known: none",
      lower: null,
      upper: null,
      reason: "none",
    },
  ],
  reason: null,
  readings: [],
  absent: [],
};

describe("the counters of a drive", () => {
  it("are a table of what is known, and a list of what is not, with the reason", () => {
    show(<DriveSection drive={drive} />);
    expect(screen.getByRole("row", { name: "Media errors 2" })).toBeTruthy();
    expect(screen.queryByRole("row", { name: /flash/ })).toBeNull();
    expect(screen.getByText("Written to the flash: none")).toBeTruthy();
  });

  it("say when the agent was cut off", () => {
    show(<DriveSection drive={{ ...drive, is_to_the_end: false }} />);
    expect(screen.getByText(/agent was cut off/)).toBeTruthy();
  });
});
