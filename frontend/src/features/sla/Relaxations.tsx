// What would pass: for each part of the question the least change with which this record passes, one click each. The API has
// judged every one of them.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { type AskedSubject, relaxQuery } from "@/api/sla";
import type { BudgetChoice, BudgetDocument } from "@/api/types";
import { fieldsOf } from "@/entities/question/budgets";
import { textsOf, writeLimitTexts } from "@/entities/question/limits";
import { Loading } from "@/ui/states";
import type { SlaChange } from "./address";
import classes from "./Relaxations.module.css";

type RelaxationsProps = {
  subject: AskedSubject;
  /** Null while the answer itself is still awaited. */
  budget: BudgetChoice | null;
  /** The answer is undecided, not a FAIL. */
  isOpen: boolean;
  outdated: boolean;
  onChoose: (change: SlaChange) => void;
};

const NO_BUDGET: BudgetChoice = {};

export function Relaxations({ subject, budget, isOpen, outdated, onChoose }: RelaxationsProps) {
  const titleId = useId();
  const relaxations = useQuery({ ...relaxQuery(subject, budget ?? NO_BUDGET), enabled: budget !== null && !outdated });
  // Nothing is lost without them: the answer above says what is missing.
  if (relaxations.error !== null) return null;
  const offers = (relaxations.data?.relaxations ?? []).flatMap(({ text, document }) => {
    const change = changeOf(document);
    return change === null ? [] : [{ text, change }];
  });
  return (
    <section className="stack-12" aria-labelledby={titleId} data-outdated={outdated || undefined}>
      <h2 id={titleId}>What would pass</h2>
      {relaxations.data === undefined ? (
        <Loading what="what would pass" lines={1} height={32} />
      ) : offers.length === 0 ? (
        <p className="dim">
          {relaxations.data.complete
            ? "No single change of the question makes it pass."
            : "Not all changes could be tried in the time for an answer. Ask again when the server has less to do."}
          {isOpen ? " More evidence would decide it: see above." : ""}
        </p>
      ) : (
        <ul className={`plain-list ${classes["offers"]}`}>
          {offers.map(({ text, change }) => (
            <li key={text}>
              <Button className="printed" variant="default" onClick={() => onChoose(change)}>
                It passes with {text}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The address that asks this; null where the page cannot say it. */
function changeOf(document: BudgetDocument): SlaChange | null {
  if (document.kind !== "exceedance") return fieldsOf(document);
  if (document.operation !== "read") return null;
  const limits = document.limits.map(({ threshold_ns, ratio }) => ({ threshold_ns, limit_ratio: ratio }));
  return { budget: undefined, limits: writeLimitTexts(textsOf(limits)) };
}
