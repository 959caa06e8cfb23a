// The answer of a page: what was asked, the sign, one sentence with one number in the colour of the verdict, one reason.
import type { ReactNode } from "react";
import classes from "./AnswerHeader.module.css";
import type { Sentence, VerdictWord } from "./answer";
import { VerdictSign } from "./VerdictSign";

type AnswerHeaderProps = {
  question: ReactNode;
  verdict: VerdictWord;
  provisional?: boolean;
  sentence: Sentence;
  reason: ReactNode;
  /** The page has its title elsewhere. */
  level?: 1 | 2;
};

export function AnswerHeader({
  question,
  verdict,
  provisional = false,
  sentence,
  reason,
  level = 2,
}: AnswerHeaderProps) {
  const Title = level === 1 ? "h1" : "h2";
  return (
    <div className={classes["answer"]}>
      <p className={classes["question"]}>{question}</p>
      <VerdictSign verdict={verdict} provisional={provisional} />
      <Title className={classes["sentence"]}>
        {sentence.before}
        {sentence.key === "" ? null : <span data-verdict={verdict}>{sentence.key}</span>}
        {sentence.after}
      </Title>
      {reason === null ? null : <p className={classes["reason"]}>{reason}</p>}
    </div>
  );
}
