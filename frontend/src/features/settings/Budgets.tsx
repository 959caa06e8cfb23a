// Budgets and rule sets of the organisation: written, given a new version, and retired.
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { budgetsQuery, storeBudget } from "@/api/sla";
import type { BudgetItem } from "@/api/types";
import { workloadName } from "@/entities/run/words";
import { formatMoment } from "@/lib/format";
import { ACTIONS, type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { QueryView } from "@/ui/QueryView";
import { Failed } from "@/ui/states";
import { type Budget, BudgetForm } from "./BudgetForm";
import { KIND_NAMES } from "./budgetTexts";
import classes from "./Settings.module.css";

export function Budgets({ mayEdit }: { mayEdit: boolean }) {
  const queries = useQueryClient();
  const budgets = useQuery(budgetsQuery());
  const [draft, setDraft] = useState<Budget | null>(null);
  const store = useMutation({ mutationFn: (made: Budget) => storeBudget(queries, made) });
  if (budgets.data === undefined) return <QueryView query={budgets} what="the budgets" lines={4} height={40} />;
  const newest = budgets.data.items.filter(({ is_newest }) => is_newest);
  const own = newest.filter(({ built_in }) => !built_in);
  const retire = (item: BudgetItem) => store.mutate({ ...nextVersion(item), applies_to: [] });
  const columns: Columns<BudgetItem> = [
    {
      header: "Budget",
      accessorFn: (item) => (
        <>
          {item.document.title || item.document.name} <span className="dim">{kindOf(item)}</span>
        </>
      ),
    },
    { header: "Version", accessorFn: ({ document }) => document.version, meta: RIGHT },
    {
      header: "Judges",
      accessorFn: ({ applies_to }) =>
        applies_to.length === 0 ? "no run: retired" : applies_to.map(workloadName).join(", "),
    },
    { header: "Written", accessorFn: ({ created_at }) => (created_at === null ? "" : formatMoment(created_at)) },
  ];
  if (mayEdit)
    columns.push({
      ...ACTIONS,
      accessorFn: (item) => (
        <div className={classes["row"]}>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`New version of ${item.document.name}`}
            onClick={() => setDraft(nextVersion(item))}
          >
            New version
          </Button>
          {item.applies_to.length === 0 ? null : (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Retire ${item.document.name}`}
              loading={store.isPending}
              onClick={() => retire(item)}
            >
              Retire
            </Button>
          )}
        </div>
      ),
    });
  return (
    <>
      <p>
        A version never changes: what you want differently is a new version. Runs are judged by the newest one, also
        finished ones. A retired budget judges no run, and verdicts that were reached stay.
      </p>
      <Failed error={store.error} what="The budget" />
      {own.length === 0 ? (
        <p>Your organisation has written no budget yet. Take a built-in one as a pattern.</p>
      ) : (
        <DataTable
          label="Budgets of the organisation, as a table"
          plain="cards"
          columns={columns}
          rows={own}
          rowId={({ document }) => document.name}
        />
      )}
      {mayEdit ? (
        draft === null ? (
          <section className={classes["section"]}>
            <h2>Write a budget</h2>
            <ul className={classes["list"]}>
              {newest
                .filter(({ built_in }) => built_in)
                .map((item) => (
                  <li key={item.document.name} className={classes["row"]}>
                    <span>
                      {item.document.title || item.document.name} <span className="dim">{kindOf(item)}</span>
                    </span>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Write one like ${item.document.name}`}
                      onClick={() => setDraft(patternOf(item))}
                    >
                      Write one like it
                    </Button>
                  </li>
                ))}
            </ul>
          </section>
        ) : (
          <BudgetForm
            key={`${draft.document.name} ${draft.document.version}`}
            first={draft}
            isPending={store.isPending}
            onStore={(made) => store.mutate(made, { onSuccess: () => setDraft(null) })}
            onCancel={() => setDraft(null)}
          />
        )
      ) : null}
    </>
  );
}

const kindOf = ({ document }: BudgetItem): string => KIND_NAMES[document.kind].toLowerCase();

/** The same with the next version: the number is all that has to change. */
export const nextVersion = ({ document, applies_to }: BudgetItem): Budget => ({
  document: { ...document, version: (document.version ?? 1) + 1 },
  applies_to,
});

/** A built-in budget under a name of one's own. */
export const patternOf = ({ document, applies_to }: BudgetItem): Budget => ({
  document: {
    ...document,
    name: `my-${document.name}`,
    version: 1,
    title: `My ${document.title || document.name}`,
  },
  applies_to,
});
