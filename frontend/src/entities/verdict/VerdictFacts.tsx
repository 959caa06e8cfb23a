// Parts of a verdict: the stage of its run, and facts with their names.
import type { ReactNode } from "react";

const STAGES = {
  preview: {
    name: "preview",
    meaning: "Less than 6\u00a0h were measured: drives that look well for hours can fail later.",
  },
  indicative: { name: "indicative", meaning: "6 to 24\u00a0h were measured: a good idea, not yet a certification." },
  full: null,
} as const;

type Stage = keyof typeof STAGES;

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
