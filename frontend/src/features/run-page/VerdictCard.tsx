// The frame that all verdicts share: the question, the word, why it is open and what would decide it, and by which method.
import { type ReactNode, useId } from "react";
import type { Verdict } from "@/api/types";
import { formatMoment, formatSpan } from "@/lib/format";
import { nanoseconds } from "@/lib/units";
import { VerdictBadge, verdictTone } from "@/ui/VerdictBadge";
import classes from "./VerdictCard.module.css";

const STAGES = {
  preview: { name: "preview", meaning: "Less than 6 h were measured: drives that look well for hours can fail later." },
  indicative: { name: "indicative", meaning: "6 to 24 h were measured: a good idea, not yet a certification." },
  full: null,
} as const;

type VerdictCardProps = { verdict: Verdict; headline: ReactNode; children: ReactNode };

export function VerdictCard({ verdict, headline, children }: VerdictCardProps) {
  const titleId = useId();
  const stage = STAGES[verdict.stage];
  return (
    <article className={classes["card"]} data-tone={verdictTone(verdict.verdict)} aria-labelledby={titleId}>
      <div className={classes["head"]}>
        <h2 id={titleId}>{verdict.budget.question}</h2>
        {stage === null ? null : (
          <span className={classes["stage"]} title={stage.meaning}>
            {stage.name}
          </span>
        )}
      </div>
      <div className={classes["answer"]}>
        <VerdictBadge verdict={verdict.verdict} reason={verdict.reason} provisional={verdict.provisional} large />
        <span className={classes["headline"]}>{headline}</span>
      </div>
      {verdict.reason_text === null ? null : <p className={classes["why"]}>{verdict.reason_text}</p>}
      {verdict.decided_by === null ? null : (
        <p className={classes["why"]}>
          <strong>Would be decided by:</strong> {verdict.decided_by}
        </p>
      )}
      {children}
      <p className={classes["foot"]}>
        {verdict.budget.title}, version {verdict.budget.version} · method {verdict.method_version} · from the first{" "}
        {formatSpan(nanoseconds(verdict.data_through_ns))} · computed {formatMoment(verdict.computed_at)}
      </p>
    </article>
  );
}

/** A line of a card: what, and the figures to it. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes["fact"]}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes["facts"]}>{children}</dl>;
}
