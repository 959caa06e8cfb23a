// Renders a verdict as mark, word and strength.
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
