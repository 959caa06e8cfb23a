// Margins of an answer: largest transaction, shortest deadline and highest success rate that the subject met.
import type { Evaluation } from "@/api/types";
import { boundText, roomOf, roomSource } from "@/entities/verdict/answer";
import { formatExactLatency, formatInteger, plural } from "@/lib/format";
import { exactShare, shareEndText } from "@/lib/shares";

type Margin = { readonly name: string; readonly value: string; readonly note: string };

function marginsOf(evaluation: Evaluation): Margin[] {
  const { document } = evaluation.budget;
  if (document.kind !== "transaction") return [];
  const allowed = document.window_ns - (document.reserve_ns ?? 0);
  const [stage] = document.plan.stages;
  const count = document.plan.stages.length === 1 && typeof stage?.count === "number" ? stage.count : null;
  const least = evaluation.n_guaranteed;
  // The times come from the headroom, which has the same evidence as the verdict.
  const { usedLowerNs: from, usedUpperNs: to } = roomOf(evaluation.verdict, roomSource(evaluation, document));
  const { lower, upper } = evaluation.observed;
  const window = formatExactLatency(allowed);
  const margins: Margin[] = [];
  if (count !== null && least !== null && least > 0 && evaluation.n_text !== null)
    margins.push({
      name: `Largest transaction in ${window}`,
      value: plural(least, "read"),
      note: `${formatInteger(count)} asked; ${evaluation.n_text} of them fit.`,
    });
  if (to !== null)
    margins.push({
      name: count === null ? "Tightest deadline" : `Tightest deadline for ${plural(count, "read")}`,
      value: boundText(to, "up", allowed),
      note:
        from === null || boundText(from, "down") === boundText(to, "up", allowed)
          ? `${window} asked.`
          : `${window} asked; below ${boundText(from, "down")} it is missed.`,
    });
  if (lower !== null && lower > 0)
    margins.push({
      name: `Strictest share in ${window}`,
      value: shareEndText(lower, lower === upper ? "nearest" : "down", {
        limit: document.objective_ratio,
        counted: evaluation.evidence === "measured",
      }),
      note: `${exactShare(document.objective_ratio)} asked.`,
    });
  return margins;
}

export function Margins({ evaluation }: { evaluation: Evaluation }) {
  const margins = marginsOf(evaluation);
  if (margins.length === 0) return null;
  return (
    <section className="stack-8" aria-label="How far it stretches">
      <h2>How far it stretches, in {evaluation.subject.source === "run" ? "this run" : "this record"}</h2>
      <dl className="tiles figures">
        {margins.map(({ name, value, note }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            <dd className="small">{note}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
