// Text for the states of uploaded files and runs.
import type { EndState, FileProblem, Upload, UploadedRun, UploadFile } from "@/api/types";
import { formatSpan, plural, sentence } from "@/lib/format";

const TOOLS: Record<string, string> = {
  act: "ACT",
  ycsb: "YCSB",
  "aerospike-java-benchmark": "Aerospike Java benchmark",
  hdrhistogram: "HdrHistogram",
  "tailroom-agent": "Tailroom agent",
  prometheus: "Prometheus",
  opentelemetry: "OpenTelemetry",
};

/** Returns tool and version of a file (`ACT 6.6`), or its format if the tool is unknown; null without a format. */
export function toolText(file: UploadFile): string | null {
  if (file.format === null) return null;
  if (file.tool === null) return file.format;
  return [TOOLS[file.tool] ?? file.tool, file.tool_version].filter((part) => part !== null && part !== "").join(" ");
}

/** Returns the state of a file in a few words. */
export function fileStatus(
  file: UploadFile,
  problems: readonly FileProblem[],
  uploadState: Upload["state"],
): { readonly word: string; readonly tone: "good" | "open" | "fail" } {
  if (uploadState === "waiting") return { word: "Not read yet", tone: "open" };
  if (file.refusal !== null) return { word: "Refused", tone: "fail" };
  if (problems.some((problem) => problem.severity === "error")) return { word: "Read in part", tone: "open" };
  if (problems.some((problem) => problem.severity === "warning")) return { word: "Read with warnings", tone: "open" };
  if (file.read_with !== null) return { word: "Read with its log", tone: "good" };
  return file.run_ids.length === 0 ? { word: "No run in it", tone: "open" } : { word: "Read", tone: "good" };
}

const ENDS: Record<EndState, { name: string; meaning: string }> = {
  finished: { name: "Finished", meaning: "The file ends as the tool ends it." },
  device_too_slow: { name: "Drive too slow", meaning: "The tool ended early: the drive could not keep up." },
  generator_too_slow: {
    name: "Load generator too slow",
    meaning: "The tool ended early: it could not offer the load itself, so the drive is not to blame.",
  },
  failed: { name: "Failed", meaning: "The tool reports that it failed." },
  killed: { name: "Killed", meaning: "The tool was ended from outside." },
  growing: { name: "Still growing", meaning: "The log has no end yet: the tool was still running, or was killed." },
  unknown: { name: "End not known", meaning: "The file does not say how the run ended." },
};

export const endName = (state: EndState): string => ENDS[state].name;
export const endMeaning = (run: Pick<UploadedRun, "end_state" | "outcome_reason">): string => {
  const reason = run.outcome_reason?.trim();
  if (reason === undefined || reason === "") return ENDS[run.end_state].meaning;
  const text = sentence(reason);
  return /[.!?]$/.test(text) ? text : `${text}.`;
};

/** Tolerance for start times in the future, in milliseconds: a missing time zone shifts clocks by less than a day. */
const CLOCKS_DIFFER_MS = 24 * 3_600_000;

export const isInFuture = (startedAt: string, nowMs: number): boolean =>
  Date.parse(startedAt) > nowMs + CLOCKS_DIFFER_MS;

/** Returns whether a later upload of the same log may contain more data. */
export const mayGrow = (state: EndState): boolean => state === "growing" || state === "unknown";

const LAYOUTS: Record<string, string> = {
  hdr: "HDR buckets",
  pow2: "power-of-two buckets",
  explicit: "the tool's own buckets",
  statement: "statements only",
};

export const layoutName = (layout: string): string => LAYOUTS[layout] ?? layout;

const LEVELS = ["error", "warning", "note"] as const;

/** Compares problems for sorting: by severity, then by line. */
function bySeverity(a: FileProblem, b: FileProblem): number {
  return LEVELS.indexOf(a.severity) - LEVELS.indexOf(b.severity) || (a.line ?? 0) - (b.line ?? 0);
}

const isSame = (a: FileProblem, b: FileProblem): boolean =>
  a.line === b.line && a.reason === b.reason && (a.file ?? null) === (b.file ?? null);

/** Returns the distinct problems of a file, including those of the runs read from it. */
export function problemsOf(file: UploadFile, upload: Pick<Upload, "files" | "runs">): FileProblem[] {
  // A problem that names no file of the upload belongs to the files of its run.
  const isUnnamed = (problem: FileProblem): boolean => !upload.files.some(({ name }) => name === problem.file);
  const ofRuns = upload.runs.flatMap(({ run_id, problems }) =>
    problems.filter((problem) => problem.file === file.name || (file.run_ids.includes(run_id) && isUnnamed(problem))),
  );
  const all = [...file.problems, ...ofRuns];
  return all.filter((problem, index) => all.findIndex((other) => isSame(other, problem)) === index).sort(bySeverity);
}

/** Returns the number of problems: `2 errors, 1 warning`; null without any. */
export function problemCounts(problems: readonly FileProblem[]): string | null {
  const parts = LEVELS.flatMap((level) => {
    const count = problems.filter((problem) => problem.severity === level).length;
    return count === 0 ? [] : [plural(count, level)];
  });
  return parts.length === 0 ? null : parts.join(", ");
}

/** Returns why a file was refused, without the file's name and the hint at the list of formats. */
export const refusalText = ({ name, refusal }: Pick<UploadFile, "name" | "refusal">): string =>
  sentence(
    (refusal ?? "")
      .replace(`${name}: `, "")
      .replace(/; (see tailroom formats for|tailroom formats lists) what is read$/, ""),
  );

/** Returns the result of an upload: `3 files, 2 runs read, 1 refused`. */
export function uploadSummary(upload: { files: number; runs: number; refused: number }): string {
  return [
    plural(upload.files, "file"),
    upload.runs === 0 ? "no run read" : `${plural(upload.runs, "run")} read`,
    ...(upload.refused === 0 ? [] : [`${upload.refused} refused`]),
  ].join(", ");
}

/** Returns by how much a run has grown since this tab last showed it; null if it has not, or if unknown. */
export function growth(beforeNs: number | null, afterNs: number | null): string | null {
  if (beforeNs === null || afterNs === null || afterNs <= beforeNs) return null;
  return `${formatSpan(afterNs - beforeNs)} more: ${formatSpan(beforeNs)} before, ${formatSpan(afterNs)} now`;
}
