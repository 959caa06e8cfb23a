// Texts of verdicts: result, strength, and weaknesses of the evidence.
import { plural } from "@/lib/format";

export type VerdictWord = "PASS" | "FAIL" | "INDETERMINATE";
export type Strength = "proven" | "observed";

/** Common fields of all verdicts in the API. `strength` is unknown for verdicts of older methods. */
export type Judged = {
  readonly verdict: VerdictWord;
  readonly strength?: Strength | null | undefined;
  /** Text of the API: `PASS in this run`. */
  readonly words?: string | null | undefined;
  readonly reason?: string | null | undefined;
  /** The run is live: the verdict covers the data so far. */
  readonly provisional?: boolean | undefined;
};

/** Subject of an observed verdict: a run, a published test, or several tests of a drive. */
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

/** Returns a short reason for an undecided verdict; its full reason is `reason_text`. */
export const reasonName = (reason: string): string => REASONS[reason] ?? reason;

/** Returns word and strength: `PASS` and `, proven`; `Undecided` and `: buckets too coarse`. */
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

/** Returns word and strength as one text: `PASS in this run`. */
export function verdictText(of: Judged, scope: Scope = "run"): string {
  const { word, rest } = verdictWords(of, scope);
  return `${word}${rest}`;
}

/** Returns whether a verdict's mark is filled: only if it is proven and final. */
export const isFilled = ({ verdict, strength, provisional }: Judged): boolean =>
  verdict !== "INDETERMINATE" && strength === "proven" && provisional !== true;

/** Returns the sort position: PASS proven, PASS, undecided, FAIL, FAIL proven. */
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

/** Returns the weaknesses of a verdict for its line: `3 of 3 slices unreliable`, `closed loop`. */
export function weakenings({ closed_loop, validity }: Weakening): string[] {
  const texts: string[] = [];
  if (validity != null && validity.doubtful > 0)
    texts.push(`${validity.doubtful} of ${plural(validity.slices, "slice")} unreliable`);
  if (closed_loop === true) texts.push("closed loop: requests that would have waited are not in the file");
  return texts;
}

type Listed = { readonly closed_loop: boolean };
type InList = { readonly slices?: number | null; readonly unreliable_slices?: number | null };

/** Returns the weaknesses for a row of a list. */
export function weakeningsInList({ closed_loop }: Listed, { slices, unreliable_slices }: InList): string[] {
  const validity = slices == null ? null : { slices, doubtful: unreliable_slices ?? 0, is_known: true };
  return [...weakenings({ validity }), ...(closed_loop ? ["closed loop"] : [])];
}

/** Factor up to which measured and modelled misses agree (docs/method.md 1.5: dependence factor). */
const AGREES = 2;

/** Returns how measured transactions compare with the model; a factor beyond a thousandfold is not given exactly. */
export function dependenceText(factor: number | null): string {
  if (factor === null) return "too few late transactions, measured or modelled, to compare (D unknown)";
  const figure = factor > 1000 ? "> 1,000" : factor > 0 && factor < 0.001 ? "< 0.001" : `= ${factor.toPrecision(2)}`;
  if (factor >= 1 / AGREES && factor <= AGREES)
    return `the model agrees with what was measured (dependence factor D ${figure})`;
  return factor > AGREES
    ? `late transactions are more frequent than the model says: slow operations are clustered (dependence factor D ${figure})`
    : `late transactions are rarer than the model says (dependence factor D ${figure})`;
}
