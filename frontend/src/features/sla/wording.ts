// Text for the evidence of an answer: subject and models. Computes no numbers.
import type { Evaluation, JudgedSubject } from "@/api/types";
import { clockName, operationName } from "@/entities/run/words";
import { dependenceText } from "@/entities/verdict/words";
import { formatAtLeastPercent, formatInteger, formatPercent, formatSpan, plural } from "@/lib/format";
import { shareText } from "@/lib/shares";

type Bounds = { p_lower: number | null; p_upper: number | null };

/** Returns the bounds of a success rate: `77–99 %`; null if unknown. */
const boundsOf = ({ p_lower: lower, p_upper: upper }: Bounds, counted = false): string | null =>
  lower === null || upper === null ? null : shareText(lower, upper, { counted });

/** Returns the judged operations as text: `60,012 reads by response time over 30 s`. */
export function recordText(subject: JudgedSubject): string {
  const what = subject.operation === null ? "operation" : operationName(subject.operation).toLowerCase();
  const count = subject.samples === null ? `${what}s, how many is not known,` : plural(subject.samples, what);
  const clock = subject.clock === null ? "" : ` by ${clockName(subject.clock)}`;
  const span =
    subject.measured_ns === null || subject.measured_ns === 0 ? "" : ` over ${formatSpan(subject.measured_ns)}`;
  return `${count}${clock}${span}`;
}

export type ModelLine = {
  readonly key: string;
  readonly name: string;
  readonly bounds: string | null;
  readonly estimate: number | null;
  readonly words: string;
  /** Whether the verdict is based on this model. */
  readonly decides: boolean;
};

const ABSENT = "not available for this record";

/** Returns the lines of the models, the default model first. */
export function modelLines({ models, evidence }: Pick<Evaluation, "models" | "evidence">): ModelLine[] {
  const { independent, interval_mixture: mixture, measured } = models;
  const byModel = evidence === "model";
  return [
    {
      key: "mixture",
      name: "Slice by slice (interval mixture)",
      bounds: mixture === null ? null : boundsOf(mixture),
      estimate: mixture?.p_estimate ?? null,
      words: mixture === null ? `${ABSENT}: its course over time is not known` : mixtureText(mixture),
      decides: byModel && mixture !== null,
    },
    {
      key: "independent",
      name: "All together (independent)",
      bounds: independent === null ? null : boundsOf(independent),
      estimate: independent?.p_estimate ?? null,
      words:
        independent === null
          ? ABSENT
          : "as if every operation were drawn independently from the whole record; slow periods are spread out",
      decides: byModel && mixture === null && independent !== null,
    },
    {
      key: "measured",
      name: "Measured transactions",
      bounds:
        measured === null || measured.ratio_lower === null || measured.ratio_upper === null
          ? null
          : boundsOf({ p_lower: measured.ratio_lower, p_upper: measured.ratio_upper }, true),
      estimate: measured?.ratio ?? null,
      words:
        measured === null
          ? "not here: no whole transactions of this kind were issued"
          : `${formatInteger(measured.within_count)} of ${formatInteger(measured.total_count)} ${measured.is_asked === false ? `of ${measured.plan_text ?? "another plan"} ` : ""}in time; ${measured.contradicts_model === true ? "they refute the model" : dependenceText(measured.dependence_factor)}`,
      decides: evidence === "measured" && measured !== null,
    },
  ];
}

function mixtureText(mixture: NonNullable<Evaluation["models"]["interval_mixture"]>): string {
  const pieces = `${plural(mixture.piece_count, "slice")} of ${formatSpan(mixture.piece_duration_ns)}, each with its own distribution`;
  const meeting =
    mixture.meeting_ratio === null
      ? ""
      : `; ${mixture.meeting_ratio === 1 ? "every slice meets" : `${formatPercent(mixture.meeting_ratio)} of them meet`} the objective alone`;
  const worst = mixture.worst_piece;
  const worstShare = worst === null ? null : boundsOf(worst);
  const worstText =
    worst === null || worstShare === null ? "" : `; the worst, at ${formatSpan(worst.start_ns)}, ${worstShare}`;
  return `${pieces}${meeting}${worstText}`;
}

/** Returns how robust the answer is against any dependence between operations, as a sentence; null if unknown. */
export function worstCaseText(worst: Evaluation["models"]["worst_case"], objective: number): string | null {
  if (worst === null || worst.p_lower === null) return null;
  if (worst.p_lower >= objective)
    return `Robust, by the buckets and before sampling error: even if slow operations fell together in the worst possible way, ${worst.p_lower === 1 ? "all" : formatAtLeastPercent(worst.p_lower)} would be in time.`;
  if (worst.p_lower <= 0)
    return "Without any assumption on how slow operations fall together nothing is guaranteed: the answer rests on the model.";
  return `If slow operations fell together in the worst possible way, only ${formatAtLeastPercent(worst.p_lower)} would be certain: the answer rests on the model.`;
}
