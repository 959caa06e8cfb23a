import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { budgetsQuery, storeBudget } from "@/api/sla";
import type { BudgetItem } from "@/api/types";
import { workloadName } from "@/entities/run/words";
import { formatMoment, plural } from "@/lib/format";
import { RowButton } from "@/ui/ConfirmDialog";
import { ACTIONS, type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { Failed, QueryView } from "@/ui/states";
import { type Budget, BudgetForm } from "./BudgetForm";
import { KIND_NAMES } from "./budgetTexts";
import { TabLead } from "./Section";

export function Budgets({ mayEdit }: { mayEdit: boolean }) {
  const budgets = useQuery(budgetsQuery());
  const [draft, setDraft] = useState<Budget | null>(null);
  const store = useMutation({ mutationFn: (made: Budget, { client }) => storeBudget(client, made) });
  if (budgets.data === undefined) return <QueryView query={budgets} what="the budgets" lines={4} height={40} />;
  const newest = budgets.data.items.filter(({ is_newest }) => is_newest);
  const own = newest.filter(({ built_in }) => !built_in);
  const builtIn = newest.filter(({ built_in }) => built_in);
  const retire = (item: BudgetItem) => store.mutate({ ...nextVersion(item), applies_to: [] });
  const action = (verb: string, item: BudgetItem, onClick: () => void) => (
    <RowButton label={verb} name={`${verb} ${item.document.name}`} loading={store.isPending} onClick={onClick} />
  );
  const columns: Columns<BudgetItem> = [
    BUDGET,
    { header: "Version", accessorFn: ({ document }) => document.version, meta: RIGHT },
    JUDGES,
    { header: "Written", accessorFn: ({ created_at }) => (created_at === null ? "" : formatMoment(created_at)) },
  ];
  const patterns: Columns<BudgetItem> = [BUDGET, JUDGES];
  if (mayEdit) {
    columns.push({
      ...ACTIONS,
      accessorFn: (item) => (
        <div className="row">
          {action("New version", item, () => setDraft(nextVersion(item)))}
          {item.applies_to.length === 0 ? null : action("Retire", item, () => retire(item))}
        </div>
      ),
    });
    patterns.push({ ...ACTIONS, accessorFn: (item) => action("Copy", item, () => setDraft(patternOf(item))) });
  }
  return (
    <>
      <TabLead title={answerText(own, builtIn)}>
        The newest version judges new and finished runs. Verdicts of older versions stay.
      </TabLead>
      <Failed error={store.error} what="The budget" />
      {draft === null ? (
        <>
          {own.length === 0 ? null : (
            <DataTable
              label="Budgets of the organisation, as a table"
              plain="cards"
              columns={columns}
              rows={own}
              rowId={({ document }) => document.name}
            />
          )}
          <details>
            <summary>{mayEdit ? "Copy a built-in budget" : "Built-in budgets"}</summary>
            <DataTable
              label="Built-in budgets, as a table"
              plain="cards"
              columns={patterns}
              rows={builtIn}
              rowId={({ document }) => document.name}
            />
          </details>
        </>
      ) : (
        <BudgetForm
          key={`${draft.document.name} ${draft.document.version}`}
          first={draft}
          isPending={store.isPending}
          onStore={(made) => store.mutate(made, { onSuccess: () => setDraft(null) })}
          onCancel={() => setDraft(null)}
        />
      )}
    </>
  );
}

const BUDGET: Columns<BudgetItem>[number] = {
  header: "Budget",
  accessorFn: ({ document }) => (
    <>
      {document.title || document.name} <span className="dim">{KIND_NAMES[document.kind].toLowerCase()}</span>
    </>
  ),
};

const FEW = 3;

const JUDGES: Columns<BudgetItem>[number] = {
  header: "Judges",
  accessorFn: ({ applies_to }) =>
    applies_to.length === 0
      ? "no run"
      : applies_to.length <= FEW
        ? applies_to.map(workloadName).join(", ")
        : `${applies_to.length} kinds of runs`,
  meta: { cell: ({ applies_to }) => ({ title: applies_to.map(workloadName).join(", ") }) },
};

/** Returns the result of the tab: `2 budgets of your own and 6 built-in ones judge your runs`. */
function answerText(own: readonly BudgetItem[], builtIn: readonly BudgetItem[]): string {
  const [ownCount, builtInCount] = [own, builtIn].map(
    (items) => items.filter(({ applies_to }) => applies_to.length > 0).length,
  );
  if (!ownCount) return `${builtInCount} built-in budgets judge your runs; none is yours`;
  return `${plural(ownCount, "budget")} of your own and ${builtInCount} built-in ones judge your runs`;
}

export const nextVersion = ({ document, applies_to }: BudgetItem): Budget => ({
  document: { ...document, version: (document.version ?? 1) + 1 },
  applies_to,
});

/** Returns a built-in budget as a template under a new name. */
export const patternOf = ({ document, applies_to }: BudgetItem): Budget => ({
  document: {
    ...document,
    name: `my-${document.name}`,
    version: 1,
    title: `My ${document.title || document.name}`,
  },
  applies_to,
});
