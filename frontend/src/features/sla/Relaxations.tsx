// Relaxed questions that would pass: the smallest change to each part of the question, judged by the API, as links.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type KeyedSubject, relaxQuery } from "@/api/sla";
import type { BudgetChoice, BudgetDocument } from "@/api/types";
import { fieldsOf } from "@/entities/question/budgets";
import { textsOf, writeLimitTexts } from "@/entities/question/limits";
import { Section } from "@/ui/Section";
import { Loading } from "@/ui/states";
import type { SlaChange } from "./address";

type RelaxationsProps = {
  subject: KeyedSubject;
  /** Judged budget; null while the answer is pending. */
  budget: BudgetChoice | null;
  /** Whether the answer is undecided instead of FAIL. */
  isOpen: boolean;
  outdated: boolean;
  onChoose: (change: SlaChange) => void;
};

const NO_BUDGET: BudgetChoice = {};

export function Relaxations({ subject, budget, isOpen, outdated, onChoose }: RelaxationsProps) {
  const relaxations = useQuery({ ...relaxQuery(subject, budget ?? NO_BUDGET), enabled: budget !== null && !outdated });
  // The section is optional: the answer above explains what is missing.
  if (relaxations.error !== null) return null;
  const offers = (relaxations.data?.relaxations ?? []).flatMap(({ text, document }) => {
    const change = changeOf(document);
    return change === null ? [] : [{ text, change }];
  });
  return (
    <Section title="What would pass" className="stack-12" data-outdated={outdated || undefined}>
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
        <ul className="plain-list wrap">
          {offers.map(({ text, change }) => (
            <li key={text}>
              <Button
                className="printed"
                h="auto"
                mih={36}
                py={6}
                styles={{ label: { whiteSpace: "normal" } }}
                onClick={() => onChoose(change)}
              >
                It passes with {text}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Returns the change of the address for a relaxed question; null if the page cannot express it. */
function changeOf(document: BudgetDocument): SlaChange | null {
  if (document.kind !== "exceedance") return fieldsOf(document);
  if (document.operation !== "read") return null;
  const limits = document.limits.map(({ threshold_ns, ratio }) => ({ threshold_ns, limit_ratio: ratio }));
  return { budget: undefined, limits: writeLimitTexts(textsOf(limits)) };
}
