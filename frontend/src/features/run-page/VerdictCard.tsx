// Card of a verdict: question, badge, result, what would decide or prove it, a picture, and the version of its budget.
import { type ReactNode, useId } from "react";
import type { Verdict } from "@/api/types";
import { EvidenceDetails } from "@/entities/verdict/EvidenceDetails";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { StageTag } from "@/entities/verdict/VerdictFacts";
import { formatMoment, formatSpan, sentence, unbroken } from "@/lib/format";
import { GENERATOR_ID } from "./generator/anchor";

/** `children`: figures in the collapsed section. */
type VerdictCardProps = { verdict: Verdict; headline?: ReactNode; picture: ReactNode; children?: ReactNode };

export function VerdictCard({ verdict, headline, picture, children }: VerdictCardProps) {
  const titleId = useId();
  const { budget, reason_text: reasonText, decided_by: decidedBy } = verdict;
  return (
    <article className="stack-12 divided" style={{ paddingBlock: 20, breakInside: "avoid" }} aria-labelledby={titleId}>
      <div>
        <div className="row between" style={{ flexWrap: "nowrap", alignItems: "baseline" }}>
          <h3 id={titleId}>{budget.question}</h3>
          <StageTag stage={verdict.stage} />
        </div>
        <div className="row">
          <VerdictBadge of={verdict} large />
          {reasonText === null ? <span className="medium num">{headline}</span> : null}
        </div>
        {reasonText === null ? null : (
          <p className="measure">
            {sentence(unbroken(reasonText))}
            {verdict.reason === "generator" && (
              <>
                ; see <a href={`#${GENERATOR_ID}`}>Was the load applied?</a>
              </>
            )}
          </p>
        )}
        {decidedBy === null ? null : (
          <p className="measure">
            <strong>{verdict.verdict === "INDETERMINATE" ? "To decide it:" : "To prove it:"}</strong>{" "}
            {unbroken(decidedBy)}
          </p>
        )}
      </div>
      <div className="halves">
        <div className="stack-8">{picture}</div>
      </div>
      <EvidenceDetails>
        {children}
        <p className="dim smaller">
          {budget.title}, version {budget.version} · method {verdict.method_version} · from the first{" "}
          {formatSpan(verdict.data_through_ns)} · computed {formatMoment(verdict.computed_at)}
        </p>
      </EvidenceDetails>
    </article>
  );
}
