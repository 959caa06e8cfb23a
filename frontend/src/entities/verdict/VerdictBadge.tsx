// Renders a verdict as mark, word and strength.

import { IconWarning } from "@/ui/icons";
import classes from "./VerdictBadge.module.css";
import { VerdictMark } from "./VerdictMark";
import { type Judged, type Scope, verdictWords } from "./words";

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
    <span className={classes["badge"]} data-verdict={of.verdict} data-large={large || undefined}>
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
