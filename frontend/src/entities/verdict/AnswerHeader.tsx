// Renders the answer of a page: the verdict line, a sentence with one number in the verdict's colour, and the reason.
import type { ReactNode } from "react";
import classes from "./AnswerHeader.module.css";
import type { Sentence } from "./answer";
import { VerdictLine } from "./VerdictBadge";
import type { Judged, Scope } from "./words";

type AnswerHeaderProps = {
  /** Question, if the page does not show it elsewhere. */
  question?: ReactNode;
  of: Judged;
  scope?: Scope;
  fact?: string | null;
  weakenings?: readonly string[];
  sentence: Sentence;
  reason: ReactNode;
  /** Heading level; 2 if the page has its title elsewhere. */
  level?: 1 | 2;
};

export function AnswerHeader({ question, of, sentence, reason, level = 2, ...line }: AnswerHeaderProps) {
  const Title = level === 1 ? "h1" : "h2";
  return (
    <div className="stack-8 items-start">
      {question === undefined ? null : <p className="measure muted">{question}</p>}
      <VerdictLine of={of} {...line} />
      <Title className={`answer-title ${classes["sentence"]}`}>
        {sentence.before}
        {sentence.key === "" ? null : <span data-verdict={of.verdict}>{sentence.key}</span>}
        {sentence.after}
      </Title>
      {reason === null ? null : <div className="measure">{reason}</div>}
    </div>
  );
}
