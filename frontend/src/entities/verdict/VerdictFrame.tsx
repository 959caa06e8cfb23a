// Renders a verdict in a list: question, badge, result, what would decide or prove it, and a picture.
import { type ReactNode, useId } from "react";
import { sentence, unbroken } from "@/lib/format";
import { EvidenceDetails } from "./EvidenceDetails";
import { VerdictBadge } from "./VerdictBadge";
import classes from "./VerdictFrame.module.css";
import type { Judged } from "./words";

const STAGES = {
  preview: {
    name: "preview",
    meaning: "Less than 6\u00a0h were measured: drives that look well for hours can fail later.",
  },
  indicative: { name: "indicative", meaning: "6 to 24\u00a0h were measured: a good idea, not yet a certification." },
  full: null,
} as const;

type Stage = keyof typeof STAGES;

type VerdictFrameProps = {
  question: string;
  of: Judged;
  reasonText: string | null;
  /** Link from the reason to its details. */
  reasonLink?: ReactNode;
  decidedBy: string | null;
  /** Stage by measured time; `null` if the time is unknown. */
  stage: Stage | null;
  headline: ReactNode;
  picture: ReactNode;
  /** Rule set and sources. */
  foot: ReactNode;
  /** Figures in the collapsed section. */
  children: ReactNode;
};

export function VerdictFrame(props: VerdictFrameProps) {
  const titleId = useId();
  return (
    <article className={classes["card"]} aria-labelledby={titleId}>
      <div className={classes["words"]}>
        <div className="row between" style={{ flexWrap: "nowrap", alignItems: "baseline" }}>
          <h3 id={titleId}>{props.question}</h3>
          <StageTag stage={props.stage} />
        </div>
        <div className="row">
          <VerdictBadge of={props.of} large />
          {props.reasonText === null ? <span className="medium num">{props.headline}</span> : null}
        </div>
        {props.reasonText === null ? null : (
          <p className="measure">
            {sentence(unbroken(props.reasonText))}
            {props.reasonLink == null ? null : <>; see {props.reasonLink}</>}
          </p>
        )}
        {props.decidedBy === null ? null : (
          <p className="measure">
            <strong>{props.of.verdict === "INDETERMINATE" ? "To decide it:" : "To prove it:"}</strong>{" "}
            {unbroken(props.decidedBy)}
          </p>
        )}
      </div>
      <div className="stack-8">{props.picture}</div>
      <div className={classes["how"]}>
        <EvidenceDetails>
          {props.children}
          <p className="dim smaller">{props.foot}</p>
        </EvidenceDetails>
      </div>
    </article>
  );
}

/** Renders the stage if the measured time is too short for a certification. */
export function StageTag({ stage }: { stage: Stage | null }) {
  const badge = stage === null ? null : STAGES[stage];
  if (badge === null) return null;
  return (
    <span className="dim smaller tag" title={badge.meaning}>
      {badge.name}
    </span>
  );
}

/** Renders a name and its figures as a row of a definition list. */
export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="stack-4 facts">{children}</dl>;
}
