import { describe, expect, it } from "vitest";
import type { FileProblem, UploadedRun, UploadFile } from "@/api/types";
import { uploadSearch } from "@/features/upload/address";
import { operationCount } from "./SeriesTable";
import { namesOf } from "./TransferList";
import {
  endMeaning,
  fileStatus,
  growth,
  isInFuture,
  problemCounts,
  problemsOf,
  refusalText,
  toolText,
  uploadSummary,
} from "./wording";

const problem = (changes: Partial<FileProblem>): FileProblem => ({
  file: "a.log",
  line: null,
  reason: "odd",
  severity: "warning",
  ...changes,
});
const file = (changes: Partial<UploadFile> = {}): UploadFile => ({
  file_no: 0,
  name: "a.log",
  member: null,
  sha256: "0".repeat(64),
  size_bytes: 10,
  format: "act-storage",
  tool: "act",
  tool_version: "6.6",
  reason: "the banner says “ACT version 6.6”",
  refusal: null,
  read_with: null,
  problems: [],
  run_ids: ["run"],
  ...changes,
});
const run = (problems: FileProblem[]): UploadedRun => ({ run_id: "run", problems }) as unknown as UploadedRun;

describe("files", () => {
  it("have one status each", () => {
    const of = (changes: Partial<UploadFile>, ...problems: FileProblem[]) =>
      fileStatus(file(changes), problems, "read").word;
    expect(of({})).toBe("Read");
    expect(of({}, problem({ severity: "note" }))).toBe("Read");
    expect(of({}, problem({}))).toBe("Read with warnings");
    expect(of({}, problem({}), problem({ severity: "error" }))).toBe("Read in part");
    expect(of({ refusal: "no text", run_ids: [] }, problem({ severity: "error" }))).toBe("Refused");
    expect(of({ read_with: "a.log", run_ids: [] })).toBe("Read with its log");
    expect(of({ run_ids: [] })).toBe("No run in it");
    expect(fileStatus(file({ format: null, run_ids: [] }), [], "waiting").word).toBe("Not read yet");
  });

  it("are named by tool and version", () => {
    expect(toolText(file())).toBe("ACT 6.6");
    expect(toolText(file({ tool: "memtier_benchmark", tool_version: null }))).toBe("memtier_benchmark");
    expect(toolText(file({ format: null, tool: null }))).toBeNull();
  });

  it("have each problem once, gravest first, those of their run among them", () => {
    const own = problem({ line: 3 });
    const companion = file({ file_no: 1, name: "a.conf", run_ids: [] });
    const upload = {
      files: [file({ problems: [own] }), companion],
      runs: [
        run([
          own,
          problem({ severity: "error", line: 9 }),
          problem({ file: "a.conf", line: 1 }),
          problem({ file: null }),
        ]),
      ],
    };
    expect(problemsOf(upload.files[0]!, upload).map((one) => [one.severity, one.line])).toEqual([
      ["error", 9],
      ["warning", null],
      ["warning", 3],
    ]);
    expect(problemsOf(companion, upload).map((one) => one.line)).toEqual([1]);
    expect(problemCounts(problemsOf(upload.files[0]!, upload))).toBe("1 error, 2 warnings");
    expect(problemCounts([])).toBeNull();
  });

  it("that are refused say why, without their name and without a command", () => {
    const refusal = "pgl.5494.txt: format not recognised; see tailroom formats for what is read";
    expect(refusalText({ name: "pgl.5494.txt", refusal })).toBe("Format not recognised");
    expect(refusalText({ name: "a.zip", refusal: "a.zip is an archive" })).toBe("a.zip is an archive");
  });

  it("of a drop are named shortly", () => {
    expect(namesOf([{ name: "a" }])).toBe("a");
    expect(namesOf([{ name: "a" }, { name: "b" }])).toBe("a and b");
    expect(namesOf([{ name: "a" }, { name: "b" }, { name: "c" }])).toBe("a and 2 more");
  });
});

describe("runs", () => {
  it("end in a sentence, their own where the file gives one", () => {
    expect(endMeaning({ end_state: "finished", outcome_reason: null })).toBe("The file ends as the tool ends it.");
    expect(endMeaning({ end_state: "growing", outcome_reason: "24 s of 60 s are there" })).toBe(
      "24 s of 60 s are there.",
    );
  });

  it("say by how much they have grown, and nothing where they have not", () => {
    expect(growth(24e9, 44e9)?.replaceAll("\u00a0", " ")).toBe("20 s more: 24 s before, 44 s now");
    expect(growth(44e9, 44e9)).toBeNull();
    expect(growth(null, 44e9)).toBeNull();
  });

  it("count the operations of a series only where it is counted by itself", () => {
    const series = (device: string | null, phase = "main") => ({
      operation: "read",
      clock: "service",
      device,
      phase,
      source_name: null,
      layout: "pow2",
      interval_count: 3,
    });
    const percentiles = {
      run_id: "run",
      curves: [
        {
          operation: "read",
          clock: "service" as const,
          count: 600,
          miss_count: 0,
          measured_ns: 4e9,
          max_ns: null,
          points: [],
          printed: [],
        },
      ],
    };
    const all = [series(null), series("/dev/a"), series("/dev/b")];
    expect(all.map((one) => operationCount(one, all, percentiles))).toEqual([600, null, null]);
    expect(operationCount(series("/dev/a"), [series("/dev/a")], percentiles)).toBe(600);
    const two = [series("/dev/a"), series("/dev/b")];
    expect(operationCount(two[0]!, two, percentiles)).toBeNull();
    expect(operationCount(series(null), [series(null)], undefined)).toBeNull();
  });

  it("and files are counted in a word", () => {
    expect(uploadSummary({ files: 3, runs: 2, refused: 1 })).toBe("3 files, 2 runs read, 1 refused");
    expect(uploadSummary({ files: 1, runs: 0, refused: 1 })).toBe("1 file, no run read, 1 refused");
  });
});

describe("the address", () => {
  it("holds what was asked for and nothing else: a broken id is named on the page", () => {
    const upload = "01a1fef9-eddf-7417-8d67-4ea637b0b4f3";
    expect(uploadSearch({ upload, other: 1 })).toEqual({ upload });
    expect(uploadSearch({ upload: "../x" })).toEqual({ upload: "../x" });
    expect(uploadSearch({ upload: "" })).toEqual({});
    expect(uploadSearch({ upload: { of: "nothing" } })).toEqual({});
  });
});

describe("a start in the future", () => {
  const now = Date.parse("2026-11-23T12:00:00Z");
  it.each([
    ["2026-11-23T11:00:00Z", false],
    ["2026-11-24T11:00:00Z", false],
    ["2026-11-24T13:00:00Z", true],
    ["2031-01-01T00:00:00Z", true],
    ["not a moment", false],
  ])("%s: %s", (startedAt, expected) => {
    expect(isInFuture(startedAt, now)).toBe(expected);
  });
});
