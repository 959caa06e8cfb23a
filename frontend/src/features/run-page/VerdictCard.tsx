// Frame of a verdict, with the version of its budget.
import type { ReactNode } from "react";
import type { Verdict } from "@/api/types";
import { VerdictFrame } from "@/entities/verdict/VerdictFrame";
import { formatMoment, formatSpan } from "@/lib/format";
import { GENERATOR_ID } from "./generator/anchor";

type VerdictCardProps = { verdict: Verdict; headline: ReactNode; picture: ReactNode; children: ReactNode };

export function VerdictCard({ verdict, headline, picture, children }: VerdictCardProps) {
  return (
    <VerdictFrame
      question={verdict.budget.question}
      of={verdict}
      reasonText={verdict.reason_text}
      reasonLink={verdict.reason === "generator" ? <a href={`#${GENERATOR_ID}`}>Was the load applied?</a> : null}
      decidedBy={verdict.decided_by}
      stage={verdict.stage}
      headline={headline}
      picture={picture}
      foot={
        <>
          {verdict.budget.title}, version {verdict.budget.version} · method {verdict.method_version} · from the first{" "}
          {formatSpan(verdict.data_through_ns)} · computed {formatMoment(verdict.computed_at)}
        </>
      }
    >
      {children}
    </VerdictFrame>
  );
}
