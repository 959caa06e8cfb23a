// Renders two results on one scale: the share in this run, the share proven for the next run, and the objective.
import { ninesLabel, ninesOf } from "@/charts/scales";
import { exactShare, provenShareText, shareText } from "@/lib/shares";
import classes from "./ScopeBar.module.css";
import type { VerdictWord } from "./words";

type ScopeLike = { readonly verdict: VerdictWord; readonly lower: number | null; readonly upper: number | null };

export type ScopeBarProps = {
  observed: ScopeLike;
  proven: ScopeLike;
  objective: number;
  /** True if the share must be large, such as transactions in time; false for a share of slow operations. */
  more: boolean;
  /** Noun for the share: `transactions in time`, `reads of 1 ms or longer`. */
  what: string;
  /** False if a model gives the bounds of this run. */
  counted: boolean;
};

const OF_RUN = { PASS: "kept it", FAIL: "missed it", INDETERMINATE: "is undecided" } as const;
const OF_NEXT = { PASS: "will keep it", FAIL: "will miss it", INDETERMINATE: "is not proven" } as const;

const MOST_NINES = 6;
const LEAST_POWER = -5;

/** Returns a logarithmic scale: of `1 - share` if more is better, else of the share itself. */
function scaleOf({ observed, proven, objective, more }: ScopeBarProps) {
  const place = (share: number): number =>
    more
      ? Math.min(MOST_NINES, share >= 1 ? MOST_NINES : ninesOf(Math.max(0, share)))
      : Math.max(LEAST_POWER, share <= 0 ? LEAST_POWER : Math.log10(share));
  const ends = [observed.lower, observed.upper, proven.lower, proven.upper].filter((end) => end !== null).map(place);
  const from = Math.floor(Math.min(place(objective) - (more ? 0 : 1), ...ends.map((end) => end + 1e-9)));
  const to = Math.ceil(Math.max(place(objective) + (more ? 1 : 0.01), ...ends.map((end) => end - 1e-9)));
  const at = (share: number): number => (100 * (place(share) - from)) / (to - from);
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return {
    at,
    ticks: ticks.map((tick) => ({
      left: (100 * (tick - from)) / (to - from),
      share: more ? 1 - 10 ** -tick : 10 ** tick,
      label: more ? ninesLabel(tick) : exactShare(10 ** tick),
    })),
  };
}

/** Width of a letter of the scale on a wide page, in per cent of the scale. */
const LETTER = 0.85;
const LEAST_DISTANCE = 12;

/** Returns the least distance in per cent of a tick from the label `asked`. Labels at both ends are not centred. */
function distanceBeside(asked: string, { left, label }: { left: number; label: string }): number {
  const ofTick = left <= 0 || left >= 100 ? label.length : label.length / 2;
  return Math.max(LEAST_DISTANCE, LETTER * (asked.length / 2 + ofTick + 1));
}

export function ScopeBar(props: ScopeBarProps) {
  const { observed, proven, objective, more, what, counted } = props;
  if (observed.lower === null || observed.upper === null || proven.lower === null || proven.upper === null) return null;
  const { at, ticks } = scaleOf(props);
  const inRun = shareText(observed.lower, observed.upper, { limit: objective, counted });
  const nothing = proven.lower <= 0 && proven.upper >= 1;
  const inNext = nothing
    ? "nothing is proven"
    : `${provenShareText(proven.lower, proven.upper, { limit: objective, counted: false })}, 95\u00a0% confidence`;
  const line = at(objective);
  const asked = `${more ? "" : "<\u00a0"}${exactShare(objective)} asked`;
  const rows = [
    { key: "run", name: "This run", words: OF_RUN[observed.verdict], scope: observed, text: inRun },
    {
      key: "next",
      name: "The next run",
      words: OF_NEXT[proven.verdict],
      scope: proven,
      text: inNext,
    },
  ] as const;
  return (
    <section
      className="stack-6 small"
      style={{ paddingTop: 16, borderTop: "1px solid var(--line)", lineHeight: "1.25rem" }}
      aria-label="Two answers: what happened, and what it proves"
    >
      <h3 className="small">Two answers: what happened, and what it proves</h3>
      {rows.map(({ key, name, words, scope, text }) => {
        const left = at(scope.lower ?? 0);
        const width = Math.max(0.6, at(scope.upper ?? 1) - left);
        const isToned = key === "run" || scope.verdict !== "INDETERMINATE";
        const background = `var(--${key === "run" ? "data" : "data-band"})`;
        return (
          <div key={key} className={classes["row"]}>
            <span>
              <strong>{name}</strong>{" "}
              <span data-verdict={scope.verdict} style={{ color: isToned ? "var(--verdict-ink)" : undefined }}>
                {words}
              </span>
            </span>
            <div className={classes["track"]} aria-hidden="true">
              <div style={{ inset: "10px 0", borderTop: "2px solid var(--sunk-2)" }} />
              <div style={{ left: `${left}%`, top: 6, width: `${width}%`, height: 10, borderRadius: 2, background }} />
              <div style={{ left: `${line}%`, insetBlock: -3, width: 2, marginLeft: -1, background: "var(--ink)" }} />
            </div>
            <strong className="num">{text}</strong>
          </div>
        );
      })}
      <div className={classes["row"]}>
        <span />
        <div className={`muted smaller axis-labels ${classes["scale"]}`} aria-hidden="true">
          {ticks
            .filter((tick) => Math.abs(tick.left - line) > distanceBeside(asked, tick))
            .map((tick) => (
              <span
                key={tick.left}
                style={{ left: `${tick.left}%` }}
                data-last={tick.left >= 100 || undefined}
                data-near={Math.abs(tick.left - line) <= 25 || undefined}
              >
                {tick.label}
              </span>
            ))}
          <strong className={classes["asked"]} style={{ left: `${line}%` }}>
            {asked}
          </strong>
        </div>
        <span className="muted">share of {what}</span>
      </div>
    </section>
  );
}
