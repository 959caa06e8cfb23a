// Errors of API requests, with the API's own texts if it responded.
import { unbroken } from "@/lib/format";

/** An invalid field of a request, and the reason. */
export type LocatedProblem = { readonly field: string; readonly reason: string };

type ProblemBody = { status: number; title: string; detail: string; code: string; problems?: unknown };

function locatedProblems(fields: unknown): LocatedProblem[] {
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((problem: Record<string, unknown> | null) =>
    typeof problem?.["field"] === "string" && typeof problem["reason"] === "string"
      ? [{ field: problem["field"], reason: problem["reason"] }]
      : [],
  );
}

function isProblemBody(body: unknown): body is ProblemBody {
  if (typeof body !== "object" || body === null) return false;
  const record = body as Record<string, unknown>;
  return (
    typeof record["title"] === "string" && typeof record["detail"] === "string" && typeof record["code"] === "string"
  );
}

/** An error response of the API: title, advice as the message, and a code for programs. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly problems: readonly LocatedProblem[];

  constructor(status: number, code: string, title: string, detail: string, problems: readonly LocatedProblem[] = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.title = title;
    this.problems = problems;
  }

  static from(status: number, body: unknown): ApiProblem {
    if (isProblemBody(body))
      return new ApiProblem(status, body.code, body.title, unbroken(body.detail), locatedProblems(body.problems));
    return new ApiProblem(
      status,
      "unexpected-answer",
      `The server answered ${status}`,
      "The answer was not of the form that this page knows. Something between the page and Tailroom may have answered instead.",
    );
  }
}

/** No response: the server or the network is down. */
export class BackendUnreachable extends Error {
  override readonly name = "BackendUnreachable";
  readonly title = "Tailroom does not answer";

  constructor() {
    super(
      "The server did not answer. It may be stopped or restarting, or the network may be down. Nothing measured is lost.",
    );
  }
}

/** Returns the error code of an `ApiProblem`; an empty string for other errors. */
export const codeOf = (error: unknown): string => (error instanceof ApiProblem ? error.code : "");

export const isSignedOut = (error: unknown): boolean => error instanceof ApiProblem && error.status === 401;
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 404 || error.code === "run-unknown");

/** Returns whether the owner withdrew a published run. Retrying cannot help. */
export const isWithdrawn = (error: unknown): boolean => error instanceof ApiProblem && error.code === "run-retracted";

/** Returns whether the request itself is invalid or its subject does not exist. Retrying cannot help. */
export const refusesQuestion = (error: unknown): boolean =>
  error instanceof ApiProblem &&
  ["budget-invalid", "budget-unknown", "subject-invalid", "run-unknown"].includes(error.code);

/** Returns whether a retry can help: network failures, server errors and rate limits. */
export const isTransient = (error: unknown): boolean =>
  error instanceof BackendUnreachable || (error instanceof ApiProblem && (error.status >= 500 || error.status === 429));
