import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnswerValue } from "@/api/types";
import {
  answersFor,
  groupsOf,
  hashSerial,
  type Kind,
  OFFSETS,
  readAnswer,
  readDraft,
  splitMoment,
  writeAnswer,
  writeBytes,
  writeOffset,
} from "./disclosureFields";

const missing = (...fields: string[]) => fields.map((field) => ({ field, label: `label of ${field}` }));
const told = (field: string, value: string | number | boolean) => ({
  field,
  label: field,
  value,
  answered_at: "2026-11-20T12:00:00Z",
});
const read = (is: Kind["is"], typed: string) => readAnswer({ is } as Kind, typed);

describe("answers", () => {
  it("are read in the units that are stored", () => {
    expect(read("bytes", "1.6 TB").value).toBe(1_600_000_000_000);
    expect(read("share", "21 %").value).toBe(0.21);
    expect(read("share", "0").value).toBe(0);
    expect(read("switch", "off").value).toBe(false);
    expect(read("whole", "25,000").value).toBe(25_000);
    expect(read("amount", "1.5").value).toBe(1.5);
    expect(read("moment", "2026-11-20T12:30:00+05:45").value).toBe("2026-11-20T12:30:00+05:45");
    expect(read("text", "  KMK1HB3Q ").value).toBe("KMK1HB3Q");
  });

  it("that are empty take one back, and are no problem", () => {
    for (const is of ["bytes", "share", "switch", "whole", "moment", "serial", "text"] as const)
      expect(read(is, "  ")).toEqual({ value: null, problem: null });
  });

  it("that cannot be read are a sentence, never a guess", () => {
    expect(read("share", "100").problem).toMatch(/some must be usable/);
    expect(read("share", "much").problem).toMatch(/is not a share/);
    expect(read("bytes", "400").problem).toMatch(/of what/);
    expect(read("moment", "2026-11-20T12:30:00").problem).toMatch(/offset/);
    expect(read("moment", "2026-13-40T12:30:00Z").problem).not.toBeNull();
    expect(read("serial", "S3U1NX0J").problem).toMatch(/SHA-256/);
    expect(read("text", "x".repeat(2_001)).problem).toMatch(/2,000/);
  });

  it("stand in their field such that reading them gives the same", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9e15 }), (bytes) => {
        expect(read("bytes", writeBytes(bytes)).value).toBe(bytes);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999 }), (part) => {
        const kind: Kind = { is: "share" };
        expect(readAnswer(kind, writeAnswer(kind, part / 10_000)).value).toBeCloseTo(part / 10_000, 12);
      }),
    );
    expect(writeBytes(1536)).toBe("1536 B");
    expect(writeBytes(2 ** 41)).toBe("2 TiB");
    expect(writeBytes(256e9)).toBe("256 GB");
    expect(writeAnswer({ is: "switch" }, false)).toBe("off");
  });
});

describe("the form", () => {
  it("groups what is missing and what was answered, and keeps facts that it does not know", () => {
    const groups = groupsOf({
      missing: missing("host.os.kernel", "host.block_devices.*.firmware", "something.new"),
      disclosed: [told("host.block_devices.*.model", "SM1715")],
    });
    expect(groups.map((group) => [group.name, group.fields.map((one) => one.field)])).toEqual([
      ["Drive and firmware", ["host.block_devices.*.model", "host.block_devices.*.firmware"]],
      ["Host", ["host.os.kernel"]],
      ["Further facts", ["something.new"]],
    ]);
    expect(groups[2]!.fields[0]!.label).toBe("label of something.new");
  });

  it("sends what has changed and can be read, and says what cannot", () => {
    const disclosure = {
      missing: missing("host.cpu.cores", "host.memory.total_bytes"),
      disclosed: [told("plan.act_storage.over_provisioning", 0.21), told("host.os.name", "Ubuntu 24.04")],
    };
    const { answers, problems } = readDraft(disclosure, {
      "host.cpu.cores": "24",
      "host.memory.total_bytes": "a lot",
      "plan.act_storage.over_provisioning": "21",
      "host.os.name": "",
      "host.not.asked": "x",
    });
    expect(answers).toEqual({ "host.cpu.cores": 24, "host.os.name": null });
    expect(Object.keys(problems)).toEqual(["host.memory.total_bytes"]);
  });

  it("gives other runs only what they lack, and never the start of this one", () => {
    const from = {
      disclosed: [
        told("run.started_at", "2026-11-20T12:00:00Z"),
        told("host.cpu.cores", 24),
        told("host.os.name", "x"),
      ],
    };
    const to = { missing: missing("run.started_at", "host.cpu.cores") };
    expect(answersFor(from, to)).toEqual({ "host.cpu.cores": 24 } satisfies Record<string, AnswerValue>);
  });
});

describe("moments and serial numbers", () => {
  it("are taken apart and put together", () => {
    expect(splitMoment("2026-11-20T12:30:00-03:30")).toEqual({ local: "2026-11-20T12:30:00", offset: "-03:30" });
    expect(splitMoment("2026-11-20T12:30:00Z").offset).toBe("+00:00");
    expect(splitMoment("")).toEqual({ local: "", offset: "" });
    expect(writeOffset(345)).toBe("+05:45");
    expect(writeOffset(-210)).toBe("-03:30");
    expect(OFFSETS).toContain("+05:30");
    expect(new Set(OFFSETS).size).toBe(OFFSETS.length);
  });

  it("are hashed as the agent hashes them: SHA-256 of the trimmed number, in hex", async () => {
    expect(await hashSerial(" abc ")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
