// Renders a verdict as mark, word and strength.
import { IconWarning } from "@/ui/icons";
import classes from "./VerdictBadge.module.css";
import { isFilled, type Judged, type Scope, verdictWords } from "./words";

type VerdictBadgeProps = {
  of: Judged;
  scope?: Scope;
  large?: boolean;
  /** Shows only the mark; the words are hidden text for assistive technology. */
  bare?: boolean;
};

export function VerdictBadge({ of, scope = "run", large = false, bare = false }: VerdictBadgeProps) {
  const { word, rest } = verdictWords(of, scope);
  return (
    <span className={`icon-text ${classes["badge"]}`} data-verdict={of.verdict} data-large={large || undefined}>
      <VerdictMark of={of} size={large ? 26 : 18} />
      <span className={bare ? "visually-hidden" : classes["words"]}>
        <strong>{word}</strong>
        {rest}
      </span>
    </span>
  );
}

type VerdictLineProps = {
  of: Judged;
  scope?: Scope;
  /** Measured time and counts: `40 s, 798,720 reads`. */
  fact?: string | null;
  weakenings?: readonly string[];
};

export function VerdictLine({ of, scope = "run", fact = null, weakenings = [] }: VerdictLineProps) {
  return (
    <p className="pointed" style={{ alignItems: "center" }}>
      <VerdictBadge of={of} scope={scope} large />
      {fact === null ? null : <span className="muted num">{fact}</span>}
      {weakenings.map((text) => (
        <Weakening key={text} text={text} />
      ))}
    </p>
  );
}

/** Renders a weakness of a verdict in amber with an icon; also used in lists. */
export function Weakening({ text }: { text: string }) {
  return (
    <span className="icon-text unsure">
      <IconWarning size={14} />
      {text}
    </span>
  );
}

const SIGNS = {
  PASS: <path d="M6 10.3 8.8 13 14 7.2" />,
  FAIL: <path d="m6.8 6.8 6.4 6.4m0-6.4-6.4 6.4" />,
  INDETERMINATE: <path d="M7.9 8c0-1.2.9-2 2.1-2s2.1.8 2.1 1.9c0 1.5-2.1 1.6-2.1 3M10 13.9v.1" />,
} as const;

export function VerdictMark({ of, size = 20 }: { of: Judged; size?: number }) {
  const filled = isFilled(of);
  return (
    <svg
      className={classes["mark"]}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      data-verdict={of.verdict}
      data-filled={filled || undefined}
      aria-hidden="true"
      focusable="false"
    >
      {of.verdict === "FAIL" ? (
        <rect x="2" y="2" width="16" height="16" rx="3" />
      ) : (
        <circle cx="10" cy="10" r="8" strokeDasharray={of.verdict === "INDETERMINATE" ? "3.2 2.2" : undefined} />
      )}
      {SIGNS[of.verdict]}
    </svg>
  );
}
