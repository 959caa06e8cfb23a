// A verdict in word, sign and colour; undecided ones say why.
import { reasonName } from "@/entities/verdict/words";
import { IconCheck, IconCross, IconQuestion } from "@/ui/icons";
import classes from "./VerdictBadge.module.css";

type Word = "PASS" | "FAIL" | "INDETERMINATE";

type VerdictBadgeProps = {
  verdict: Word;
  reason?: string | null;
  /** The run goes on: the verdict is of what has been seen so far. */
  provisional?: boolean;
  large?: boolean;
};

const SIGNS = { PASS: IconCheck, FAIL: IconCross, INDETERMINATE: IconQuestion } as const;
const TONES = { PASS: "pass", FAIL: "fail", INDETERMINATE: "open" } as const;

export const verdictTone = (verdict: Word): "pass" | "fail" | "open" => TONES[verdict];

export function VerdictBadge({ verdict, reason, provisional = false, large = false }: VerdictBadgeProps) {
  const Sign = SIGNS[verdict];
  return (
    <span className={classes["badge"]} data-tone={TONES[verdict]} data-large={large || undefined}>
      <Sign size={large ? 18 : 13} />
      <span className={classes["word"]}>
        {verdict}
        {provisional ? " so far" : ""}
      </span>
      {verdict === "INDETERMINATE" && reason ? <span>· {reasonName(reason)}</span> : null}
    </span>
  );
}
