// Budgets and rule sets of the organisation: written, given a new version, and retired.
import { Button, Checkbox, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { budgetsQuery, storeBudget } from "@/api/sla";
import type { BudgetItem } from "@/api/types";
import { WORKLOAD_KINDS, workloadName } from "@/entities/run/words";
import { formatMoment } from "@/lib/format";
import { ACTIONS, type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { QueryView } from "@/ui/QueryView";
import { Failed } from "@/ui/states";
import classes from "./Settings.module.css";

type Draft = { text: string; appliesTo: string[] };

export function Budgets({ mayEdit }: { mayEdit: boolean }) {
  const queries = useQueryClient();
  const budgets = useQuery(budgetsQuery());
  const [draft, setDraft] = useState<Draft | null>(null);
  const store = useMutation({ mutationFn: (made: Draft) => storeBudget(queries, bodyOf(made)) });
  if (budgets.data === undefined) return <QueryView query={budgets} what="the budgets" lines={4} height={40} />;
  const newest = budgets.data.items.filter(({ is_newest }) => is_newest);
  const own = newest.filter(({ built_in }) => !built_in);
  const retire = (item: BudgetItem) => store.mutate({ ...nextVersion(item), appliesTo: [] });
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
            key={draft.text}
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

type FormProps = { first: Draft; isPending: boolean; onStore: (made: Draft) => void; onCancel: () => void };

function BudgetForm({ first, isPending, onStore, onCancel }: FormProps) {
  const form = useForm({ initialValues: first, validateInputOnChange: true, validate: { text: problemOf } });
  return (
    <form className={`${classes["form"]} panel`} onSubmit={form.onSubmit(onStore)}>
      <h2>Write a budget</h2>
      <Textarea
        label="Document"
        description="JSON; times in nanoseconds, shares from 0 to 1. The name is lower-case words with hyphens."
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mono, monospace)" } }}
        {...form.getInputProps("text")}
      />
      <Checkbox.Group label="Judges runs of" {...form.getInputProps("appliesTo")}>
        <div className={classes["row"]}>
          {WORKLOAD_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={workloadName(kind)} />
          ))}
        </div>
      </Checkbox.Group>
      <div className={classes["row"]}>
        <Button type="submit" loading={isPending} disabled={!form.isValid()}>
          Store this version
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

const kindOf = ({ document }: BudgetItem): string => document.kind.replaceAll("-", " ").replaceAll("_", " ");

const written = (document: unknown): string => JSON.stringify(document, null, 2);

/** The same with the next version: the number is all that has to change. */
export const nextVersion = ({ document, applies_to }: BudgetItem): Draft => ({
  text: written({ ...document, version: (document.version ?? 1) + 1 }),
  appliesTo: applies_to,
});

/** A built-in budget under a name of one's own. */
export const patternOf = ({ document, applies_to }: BudgetItem): Draft => ({
  text: written({
    ...document,
    name: `my-${document.name}`,
    version: 1,
    title: `My ${document.title || document.name}`,
  }),
  appliesTo: applies_to,
});

export function problemOf(text: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? null : "This is no JSON object.";
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : "it cannot be read"}`;
  }
}

const bodyOf = ({ text, appliesTo }: Draft) => ({ document: JSON.parse(text), applies_to: [...appliesTo] });
