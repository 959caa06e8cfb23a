import { describe, expect, it } from "vitest";
import { exceedanceVerdict, runDetail } from "@/test/fixtures";
import { ApiProblem } from "./problem";
import { readAnswer } from "./sendFiles";
import { isJudged, pollJudgedMs } from "./uploads";

const ID = "01a1fef9-eddf-7417-8d67-4ea637b0b4f3";
const problem = (status: number, code: string) => JSON.stringify({ status, title: "t", detail: "d", code });

describe("the answer to an upload", () => {
  it("is what became of it, new or known", () => {
    const body = JSON.stringify({ upload_id: ID, files: [], runs: [] });
    expect(readAnswer(201, body, null)).toMatchObject({ uploadId: ID, isNew: true });
    expect(readAnswer(200, body, null)).toMatchObject({ uploadId: ID, isNew: false });
  });

  it("that refuses every file still leads to the upload, because the files are kept", () => {
    const text = problem(422, "upload-unreadable");
    expect(readAnswer(422, text, `/api/v1/uploads/${ID}`)).toEqual({ upload: null, uploadId: ID, isNew: false });
    expect(() => readAnswer(422, text, null)).toThrow(ApiProblem);
  });

  it("that refuses the upload is thrown in the API's words", () => {
    try {
      readAnswer(413, problem(413, "upload-too-large"), null);
      expect.unreachable();
    } catch (thrown) {
      expect(thrown).toMatchObject({ status: 413, code: "upload-too-large", message: "d" });
    }
    expect(() => readAnswer(502, "<html>", null)).toThrow(/not of the form/);
  });
});

describe("verdicts of an uploaded run", () => {
  const now = Date.parse("2026-11-20T17:00:30Z");
  const verdict = exceedanceVerdict();
  const through = verdict.data_through_ns;
  const run = (changes: Parameters<typeof runDetail>[0]) => runDetail({ data_through_ns: through, ...changes });

  it("are final once every one is about all that was read", () => {
    expect(isJudged(run({ verdicts: [] }))).toBe(false);
    expect(isJudged(run({ verdicts: [verdict] }))).toBe(true);
    expect(isJudged(run({ verdicts: [verdict], data_through_ns: through + 1 }))).toBe(false);
  });

  it("are not waited for once a run was judged that answers no question", () => {
    const settled = { verdicts: [], judged_at: "2026-11-20T17:00:20Z" };
    expect(isJudged(run({ ...settled, last_data_at: "2026-11-20T17:00:19Z" }))).toBe(true);
    expect(isJudged(run({ ...settled, last_data_at: null }))).toBe(true);
    expect(isJudged(run({ ...settled, last_data_at: "2026-11-20T17:00:21Z" }))).toBe(false);
    expect(pollJudgedMs(run({ ...settled, last_data_at: "2026-11-20T17:00:19Z" }), now)).toBe(false);
  });

  it("are waited for while the run is fresh, quickly at first, and not for ever", () => {
    const at = (seconds: number) => new Date(now - seconds * 1000).toISOString();
    expect(pollJudgedMs(run({ verdicts: [], last_data_at: at(2) }), now)).toBe(1_000);
    expect(pollJudgedMs(run({ verdicts: [], last_data_at: at(60) }), now)).toBe(3_000);
    expect(pollJudgedMs(run({ verdicts: [], last_data_at: at(600) }), now)).toBe(false);
    expect(pollJudgedMs(run({ verdicts: [], last_data_at: null }), now)).toBe(false);
    expect(pollJudgedMs(run({ verdicts: [verdict], last_data_at: at(2) }), now)).toBe(false);
  });
});
