import { describe, expect, it } from "vitest";
import { csvFile, fileStem, toCsv } from "./csv";

describe("CSV", () => {
  it("quotes what needs quoting and leaves unknown empty", () => {
    expect(
      toCsv(
        ["a", "b, c"],
        [
          [1, 'say "so"'],
          [null, "line\nbreak"],
        ],
      ),
    ).toBe('a,"b, c"\r\n1,"say ""so"""\r\n,"line\nbreak"\r\n');
  });

  it("does not let a spreadsheet run a title", () => {
    expect(toCsv(["x"], [["=1+1"]])).toBe("x\r\n'=1+1\r\n");
    expect(toCsv(["x"], [[-1.5]])).toBe("x\r\n-1.5\r\n");
  });

  it("has plain spaces between numbers and units", () => {
    expect(toCsv(["x"], [["44\u00a0%"]])).toBe("x\r\n44 %\r\n");
  });

  it("is a file that Excel reads as UTF-8", async () => {
    const bytes = new Uint8Array(await csvFile("µs\r\n").arrayBuffer());
    expect([...bytes]).toEqual([0xef, 0xbb, 0xbf, 0xc2, 0xb5, 0x73, 0x0d, 0x0a]);
  });

  it("names files plainly", () => {
    expect(fileStem("Read: p50, p99 & max over time")).toBe("read-p50-p99-max-over-time");
  });
});
