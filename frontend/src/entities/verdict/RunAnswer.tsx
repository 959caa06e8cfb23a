// Answer of a run from its first verdict, with its other verdicts beside it.
import type { RunDetail, Verdict } from "@/api/types";
import { operationsName } from "@/entities/run/words";
import { formatExactLatency, unbroken } from "@/lib/format";
import { AnswerStage, factOf, type TextLink } from "./AnswerStage";
import { limitsOf } from "./limits";
import { VerdictBadge } from "./VerdictBadge";

const titleOf = ({ budget }: Verdict): string => (budget.title === "" ? budget.name : budget.title);
const isFail = ({ verdict }: Verdict): boolean => verdict === "FAIL";

/** Lists the verdicts on the other questions about the run; null without any. */
function OtherVerdicts({ verdicts, link }: { verdicts: readonly Verdict[]; link: TextLink }) {
  if (verdicts.length === 0) return null;
  return (
    <ul className="plain-list wrap" aria-label="Other questions">
      {verdicts.map((verdict) => (
        <li key={verdict.budget.name} className="row">
          {link(titleOf(verdict))}
          <VerdictBadge of={verdict} />
          {isFail(verdict) && verdict.reason_text !== null ? <span>{unbroken(verdict.reason_text)}</span> : null}
        </li>
      ))}
    </ul>
  );
}

/** Returns count and kind of the judged operations: operations, transactions, or reads that model transactions. */
function countOf({ exceedance, transaction }: Verdict): { count: number | null; operation: string | null } {
  if (exceedance !== null) return { count: exceedance.rows[0]?.total_count ?? null, operation: exceedance.operation };
  const measured = transaction?.measured ?? null;
  if (transaction?.evidence === "measured" && measured !== null)
    return { count: measured.total_count, operation: measured.operation };
  return { count: transaction?.samples ?? null, operation: "read" };
}

/** Returns the noun of the verdict's share: `transactions in time`, `reads of 1 ms or longer`. */
function sharedBy({ transaction, exceedance, headline }: Verdict): string {
  if (transaction !== null) return "transactions in time";
  const row = exceedance?.rows.find(({ limit_ratio }) => limit_ratio === headline?.asked);
  if (exceedance === null || row === undefined) return "operations";
  return `${operationsName(exceedance.operation)} of ${formatExactLatency(row.threshold_ns)} or longer`;
}

type RunAnswerProps = {
  run: RunDetail;
  /** Returns a link to all verdicts. */
  verdictLink: TextLink;
  /** Returns a link to the facts about the load generator. */
  generatorLink: TextLink;
  /** Whether the answer has a panel of its own; false inside a card. */
  framed?: boolean;
};

export function RunAnswer({ run, verdictLink, generatorLink, framed = true }: RunAnswerProps) {
  // The API returns the run's answer first.
  const verdict = run.verdicts[0];
  if (verdict === undefined) return null;
  const { count, operation } = countOf(verdict);
  // An hour that breaks a limit is explained by the verdict's text: no share of the whole run decides it.
  const isHour = verdict.verdict === "FAIL" && verdict.exceedance?.rows.every((row) => row.verdict !== "FAIL") === true;
  return (
    <AnswerStage
      name="Answer"
      question={verdict.budget.question}
      answer={{ ...verdict, rows: limitsOf(verdict), ...(isHour ? { reason_text: null, observed: null } : {}) }}
      kind={verdict.kind}
      fact={factOf(verdict.data_through_ns, count, operation)}
      closedLoop={run.closed_loop}
      fails={verdict.verdict === "PASS" ? run.verdicts.filter(isFail).map(titleOf) : []}
      room={verdict.transaction}
      sentence={
        isHour && verdict.reason_text !== null
          ? { before: `Too slow: ${unbroken(verdict.reason_text)}.`, key: "", after: "" }
          : null
      }
      what={sharedBy(verdict)}
      generatorLink={generatorLink}
      framed={framed}
    >
      <OtherVerdicts verdicts={run.verdicts.slice(1)} link={verdictLink} />
    </AnswerStage>
  );
}
