// Renders a page's verdict line: badge, one fact, and weaknesses of the evidence.
import { IconWarning } from "@/ui/icons";
import { VerdictBadge } from "./VerdictBadge";
import type { Judged, Scope } from "./words";

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
