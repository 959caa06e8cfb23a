// A verdict in words: what came out, how far it carries, and what weakens it.
import { plural } from "@/lib/words";

export type VerdictWord = "PASS" | "FAIL" | "INDETERMINATE";
export type Strength = "proven" | "observed";

/** A verdict as any answer of the API carries it; `strength` is unknown of verdicts by an older method. */
export type Judged = {
  readonly verdict: VerdictWord;
  readonly strength?: Strength | null | undefined;
  /** As the API writes it: `PASS in this run`. */
  readonly words?: string | null | undefined;
  readonly reason?: string | null | undefined;
  /** The run is live: the verdict is of the data measured so far. */
  readonly provisional?: boolean | undefined;
};

/** What an observed verdict is about: a run, a published test, or several tests of a drive. */
export type Scope = "run" | "test" | "tests";

const SCOPES: Record<Scope, string> = { run: " in this run", test: " in its test", tests: " in its tests" };

const REASONS: Record<string, string> = {
  resolution: "buckets too coarse",
  samples: "too few operations",
  dependence: "measured transactions contradict the model",
  duration: "run too short",
  generator: "load generator unreliable",
  metadata: "conditions unknown",
};

/** Return why a verdict is undecided, in a few words; its own sentence says more. */
export const reasonName = (reason: string): string => REASONS[reason] ?? reason;

/** Return the word and how far it carries: `PASS` and `, proven`, `Undecided` and `: buckets too coarse`. */
export function verdictWords(of: Judged, scope: Scope = "run"): { readonly word: string; readonly rest: string } {
  const [, verdictWord, carries] = /^(PASS|FAIL|Undecided)(.*)$/.exec(of.words ?? "") ?? [];
  if (verdictWord !== undefined && carries !== undefined && scope === "run" && !of.provisional)
    return { word: verdictWord, rest: carries };
  if (of.verdict === "INDETERMINATE") {
    const word = of.provisional ? "Undecided so far" : "Undecided";
    return { word, rest: of.reason ? `: ${reasonName(of.reason)}` : "" };
  }
  if (of.provisional) return { word: of.verdict, rest: " so far" };
  if (of.strength === "proven") return { word: of.verdict, rest: ", proven" };
  return { word: of.verdict, rest: of.strength === "observed" ? SCOPES[scope] : "" };
}

/** Return the whole of it: `PASS in this run`. */
export function verdictText(of: Judged, scope: Scope = "run"): string {
  const { word, rest } = verdictWords(of, scope);
  return `${word}${rest}`;
}

/** Return whether the mark of a verdict is filled. A verdict that may still change proves nothing. */
export const isFilled = ({ verdict, strength, provisional }: Judged): boolean =>
  verdict !== "INDETERMINATE" && strength === "proven" && provisional !== true;

/** PASS proven, PASS, undecided, FAIL, FAIL proven: the order of every list. */
export function verdictRank({ verdict, strength }: Judged): number {
  if (verdict === "INDETERMINATE") return 2;
  const proven = strength === "proven";
  return verdict === "PASS" ? (proven ? 0 : 1) : proven ? 4 : 3;
}

type Weakening = {
  readonly closed_loop?: boolean | undefined;
  readonly validity?:
    | { readonly slices: number; readonly doubtful: number; readonly is_known: boolean }
    | null
    | undefined;
};

/** Return the weakenings of a verdict for its line: `3 of 3 slices unreliable`, `closed loop`. */
export function weakenings({ closed_loop, validity }: Weakening): string[] {
  const texts: string[] = [];
  if (validity != null && validity.doubtful > 0)
    texts.push(`${validity.doubtful} of ${plural(validity.slices, "slice")} unreliable`);
  if (closed_loop === true) texts.push("closed loop: requests that would have waited are not in the file");
  return texts;
}

type Listed = { readonly closed_loop: boolean };
type InList = { readonly slices?: number | null; readonly unreliable_slices?: number | null };

/** Return the same for the row of a list. */
export function weakeningsInList({ closed_loop }: Listed, { slices, unreliable_slices }: InList): string[] {
  const validity = slices == null ? null : { slices, doubtful: unreliable_slices ?? 0, is_known: true };
  return [...weakenings({ validity }), ...(closed_loop ? ["closed loop"] : [])];
}
