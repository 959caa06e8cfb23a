// Form of a budget, and its document as JSON for experts.
import { Button, Checkbox, JsonInput, Tabs } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useState } from "react";
import * as z from "zod/mini";
import type { BudgetDocument } from "@/api/types";
import { WORKLOAD_KINDS, workloadName } from "@/entities/run/words";
import { BudgetFields, DraftProvider, useDraftForm } from "./BudgetFields";
import { BUDGET, textsOf } from "./budgetTexts";

const SCHEMA = z.object({ budget: BUDGET, applies_to: z.array(z.string()) });

export type Budget = { document: BudgetDocument; applies_to: string[] };
type FormProps = { first: Budget; isPending: boolean; onStore: (budget: Budget) => void; onCancel: () => void };

export function BudgetForm({ first, isPending, onStore, onCancel }: FormProps) {
  const [json, setJson] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useDraftForm({
    initialValues: { budget: textsOf(first.document), applies_to: first.applies_to },
    validate: schemaResolver(SCHEMA, { sync: true }),
    validateInputOnBlur: true,
  });
  const { applies_to } = form.values;

  /** Returns the document of the typed JSON; null if invalid, and shows the problem. */
  const typed = () => {
    const { budget, problem: unreadable } = readJson(json ?? "");
    setProblem(unreadable);
    return budget;
  };
  const show = (tab: string | null) => {
    if (tab === "json") {
      // A form with errors is not converted, because the document would differ from it.
      if (!form.validate().hasErrors) setJson(JSON.stringify(BUDGET.parse(form.values.budget), null, 2));
      return;
    }
    const budget = typed();
    if (budget === null) return;
    form.setFieldValue("budget", textsOf(budget));
    setJson(null);
  };
  const storeJson = () => {
    const budget = typed();
    if (budget !== null) onStore({ document: budget, applies_to });
  };
  const store = form.onSubmit(({ budget }) => onStore({ document: BUDGET.parse(budget), applies_to }));
  return (
    <form
      className="stack-12 panel"
      style={{ maxWidth: 800 }}
      noValidate
      onSubmit={(event) => {
        if (json === null) return store(event);
        event.preventDefault();
        storeJson();
      }}
    >
      <h2>Write a budget</h2>
      <Tabs value={json === null ? "form" : "json"} onChange={show} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="form">Form</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="form" pt={16} className="stack-16">
          <DraftProvider form={form}>
            <BudgetFields path="budget" texts={form.values.budget} />
          </DraftProvider>
        </Tabs.Panel>
        <Tabs.Panel value="json" pt={16} className="stack-16">
          <JsonInput
            label="Document"
            description="Times in nanoseconds, shares from 0 to 1"
            autosize
            minRows={8}
            maxRows={24}
            spellCheck={false}
            value={json ?? ""}
            error={problem}
            onChange={setJson}
          />
        </Tabs.Panel>
      </Tabs>
      <Checkbox.Group label="Judges runs of" {...form.getInputProps("applies_to")}>
        <div className="row">
          {WORKLOAD_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={workloadName(kind)} />
          ))}
        </div>
      </Checkbox.Group>
      <div className="row">
        <Button variant="filled" type="submit" loading={isPending}>
          Store version {json === null ? form.values.budget.version : null}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

type JsonResult =
  | { readonly budget: BudgetDocument; readonly problem: null }
  | { readonly budget: null; readonly problem: string };

/** Returns the budget of a JSON text, or a problem as a sentence. */
export function readJson(text: string): JsonResult {
  const not = (problem: string): JsonResult => ({ budget: null, problem });
  let document: BudgetDocument;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return not(`This is no JSON: ${error instanceof Error ? error.message : "it cannot be read"}`);
  }
  const checked = BUDGET.safeParse(textsIn(document));
  if (checked.success) return { budget: document, problem: null };
  const [first] = checked.error.issues;
  const place = first?.path.join(".") ?? "";
  return not(`Not a budget${place === "" ? "" : `, at ${place}`}: ${first?.message}`);
}

/** Returns the form texts of a document; null if it is invalid. */
function textsIn(document: BudgetDocument): unknown {
  try {
    return textsOf(document);
  } catch {
    return null;
  }
}
