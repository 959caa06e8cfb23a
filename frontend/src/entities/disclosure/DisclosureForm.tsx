// Renders a form for facts that others need to compare or repeat a run, and that neither file nor agent states. It can
// be saved incomplete.
import { Button, Group, Progress } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiProblem } from "@/api/problem";
import type { RunDetail } from "@/api/types";
import { answerDisclosure, answerUpload } from "@/api/uploads";
import { plural } from "@/lib/format";
import { IconCheck } from "@/ui/icons";
import { Failed } from "@/ui/states";
import classes from "./DisclosureForm.module.css";
import { answersFor, CONDITIONS, type Draft, groupsOf, LATENCY_UNIT, readDraft, writeAnswer } from "./disclosureFields";
import { FactField } from "./FactField";

/** The fields of a run that both the run page and the upload page have. */
type DisclosingRun = Pick<RunDetail, "run_id" | "disclosure">;

/** Unsaved text by run. Module state, so that it survives navigation. */
const drafts = new Map<string, Draft>();

type DisclosureFormProps = {
  /** Upload whose page shows the form, else `null`. Only there, a latency unit can be stated: files are read again. */
  uploadId: string | null;
  run: DisclosingRun;
  /** Other runs of the upload, which can get the same answers. */
  others: readonly DisclosingRun[];
  open: boolean;
  title?: string;
};

export function DisclosureForm({ uploadId, run, others, open, title = "Disclosure" }: DisclosureFormProps) {
  const { disclosure } = run;
  const form = useForm<Draft>({
    initialValues: drafts.get(run.run_id) ?? {},
    validate: (draft) => readDraft(disclosure, draft).problems,
    // Typing clears only the problem of that field.
    clearInputErrorOnChange: false,
    onValuesChange: (draft) => drafts.set(run.run_id, draft),
  });
  const draft = form.values;
  const undecided = groupsOf({ missing: disclosure.missing, disclosed: [] }).find((group) => group.name === CONDITIONS);
  // Initial state only: saving the last answer must not close the form while it is in use.
  const [opened, setOpened] = useState((open || undecided !== undefined) && disclosure.missing.length > 0);
  const { answers, problems } = readDraft(disclosure, draft);
  const changes = Object.keys(answers).length;
  const save = useMutation({
    mutationFn: async (_: undefined, { client }) => {
      if (uploadId !== null && LATENCY_UNIT in answers) await answerUpload(client, uploadId, run.run_id, answers);
      else await answerDisclosure(client, run.run_id, answers);
      return Object.keys(answers).map((field) => [field, draft[field]] as const);
    },
    // Text that could not be parsed, or was typed during the request, is not saved and stays in its field.
    onSuccess: (saved) => {
      const texts = new Map(saved);
      form.setValues((now = {}) =>
        Object.fromEntries(Object.entries(now).map(([key, text]) => [key, texts.get(key) === text ? undefined : text])),
      );
    },
    onError: (error) => {
      if (error instanceof ApiProblem)
        form.setErrors(Object.fromEntries(error.problems.map(({ field, reason }) => [field, reason])));
    },
  });
  const isRefused = save.error instanceof ApiProblem && save.error.problems.length > 0;
  const unreadable = Object.keys(form.errors).filter((field) => field in problems).length;
  const { required_count: required, given_count: answered } = disclosure;
  const groups = groupsOf(disclosure)
    .map((group) => ({
      ...group,
      fields: group.fields.filter(({ field }) => uploadId !== null || field !== LATENCY_UNIT),
    }))
    .filter(({ fields }) => fields.length > 0);
  const submit = () => {
    if (changes > 0) save.mutate();
  };
  return (
    <details className="divided" open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary style={{ display: "flex", alignItems: "center", padding: "8px 0" }}>
        <strong>{title}</strong>
        <span className="num nowrap" style={{ marginInline: 12 }}>
          {answered} of {required} given
        </span>
        <Progress
          flex="0 1 240px"
          color="var(--accent)"
          size="sm"
          value={required === 0 ? 100 : (100 * answered) / required}
          aria-label={`Disclosure, ${answered} of ${required} given`}
        />
      </summary>
      <p className="dim">
        {disclosure.missing.length === 0
          ? "Everything that is needed to repeat this run is stated."
          : "These are not stated. Fill in what you know and save; the rest can follow. Answers are marked as yours, apart from what was measured."}
      </p>
      {undecided === undefined ? null : (
        <p role="note">
          <strong>No verdict yet.</strong> Not stated:{" "}
          {undecided.fields.map((field) => field.label.toLowerCase()).join(", ")}.
        </p>
      )}
      <form noValidate onSubmit={form.onSubmit(submit, submit)}>
        <div className="stack-16" style={{ margin: "12px 0" }}>
          {groups.map((group) => (
            <fieldset key={group.name}>
              <legend className="strong" style={{ paddingBottom: 8 }}>
                {group.name}
              </legend>
              <div className="fields">
                {group.fields.map((fact) => {
                  const stored = disclosure.disclosed.find(({ field }) => field === fact.field)?.value ?? null;
                  return (
                    <div
                      key={fact.field}
                      className={classes["field"]}
                      data-kind={fact.kind.is}
                      data-saved={stored !== null || undefined}
                    >
                      <FactField
                        form={fact}
                        value={draft[fact.field] ?? writeAnswer(fact.kind, stored)}
                        problem={form.errors[fact.field]}
                        onChange={(value) => {
                          form.setValues({ [fact.field]: value });
                          form.clearFieldError(fact.field);
                          if (save.error !== null) save.reset();
                        }}
                      />
                    </div>
                  );
                })}
              </div>
            </fieldset>
          ))}
        </div>
        {save.error !== null && !isRefused ? <Failed error={save.error} what="The answers" /> : null}
        <div className="row">
          {groups.length === 0 ? null : (
            <Button
              variant="filled"
              type="submit"
              size="xs"
              loading={save.isPending}
              disabled={changes + Object.keys(problems).length === 0}
            >
              {changes === 0 ? "Save answers" : `Save ${plural(changes, "answer")}`}
            </Button>
          )}
          <p role="status" className="dim">
            {unreadable > 0
              ? `${plural(unreadable, "field")} cannot be read yet.`
              : save.isSuccess && changes === 0
                ? "Saved."
                : changes > 0
                  ? "Not saved yet."
                  : ""}
          </p>
          <CopyToOtherRuns run={run} others={others} />
        </div>
      </form>
    </details>
  );
}

/** Offers to copy the saved answers to the other runs of the upload, which usually come from the same machine. */
function CopyToOtherRuns({ run, others }: Pick<DisclosureFormProps, "run" | "others">) {
  const [done, setDone] = useState<number | null>(null);
  const wanting = others
    .map((other) => ({ other, answers: answersFor(run.disclosure, other.disclosure) }))
    .filter(({ answers }) => Object.keys(answers).length > 0);
  const apply = useMutation({
    mutationFn: async (_: undefined, { client }) => {
      const { length } = wanting;
      for (const { other, answers } of wanting) await answerDisclosure(client, other.run_id, answers);
      return length;
    },
    onSuccess: setDone,
  });
  if (wanting.length === 0 && !apply.isPending)
    return done === null ? null : (
      <Group role="status" component="p" wrap="nowrap" gap={4}>
        <IconCheck size={14} /> Given to {plural(done, "other run")} too.
      </Group>
    );
  return (
    <>
      <Button
        size="xs"
        loading={apply.isPending}
        title="Fills in what is missing there; the start of the run and answers that are there stay as they are."
        onClick={() => apply.mutate()}
      >
        Use the saved answers for {plural(wanting.length, "other run")} of this upload
      </Button>
      <Failed error={apply.error} what="Answers of the other runs" />
    </>
  );
}
