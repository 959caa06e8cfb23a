// The verdict line of a page: badge, one fact, and what weakens it.
import { IconWarning } from "@/ui/icons";
import { VerdictBadge } from "./VerdictBadge";
import classes from "./VerdictLine.module.css";
import type { Judged, Scope } from "./words";

type VerdictLineProps = {
  of: Judged;
  scope?: Scope;
  /** Length and counts: `40 s, 798,720 reads`. */
  fact?: string | null;
  weakenings?: readonly string[];
};

export function VerdictLine({ of, scope = "run", fact = null, weakenings = [] }: VerdictLineProps) {
  return (
    <p className={classes["line"]}>
      <VerdictBadge of={of} scope={scope} large />
      {fact === null ? null : <span className={classes["fact"]}>{fact}</span>}
      {weakenings.map((text) => (
        <Weakening key={text} text={text} />
      ))}
    </p>
  );
}

/** What weakens a verdict, amber and with a sign; also in the rows of lists. */
export function Weakening({ text }: { text: string }) {
  return (
    <span className={classes["weakening"]}>
      <IconWarning size={14} />
      {text}
    </span>
  );
}
