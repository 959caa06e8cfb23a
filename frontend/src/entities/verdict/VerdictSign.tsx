// A verdict as a sign that reads in grey too: a filled circle, a filled square, a dashed ring; with its word.
import { IconCheck, IconCross, IconQuestion } from "@/ui/icons";
import type { VerdictWord } from "./answer";
import classes from "./VerdictSign.module.css";

const SIGNS = { PASS: IconCheck, FAIL: IconCross, INDETERMINATE: IconQuestion } as const;

type VerdictSignProps = {
  verdict: VerdictWord;
  provisional?: boolean /** The word is for those who cannot see the sign. */;
  bare?: boolean;
};

export function VerdictSign({ verdict, provisional = false, bare = false }: VerdictSignProps) {
  const Sign = SIGNS[verdict];
  return (
    <span className={classes["verdict"]} data-verdict={verdict}>
      <span className={classes["sign"]}>
        <Sign size={12} />
      </span>
      <span className={bare ? "visually-hidden" : classes["word"]}>
        {verdict}
        {provisional ? " so far" : ""}
      </span>
    </span>
  );
}
