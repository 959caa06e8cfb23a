// Objections to tests of a drive with their answers, and the form for another objection.
import { Button, NativeSelect, Textarea } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { DriveTest } from "@/api/drivePage";
import { makeObjection, type Objection, objectionsQuery, withdrawObjection } from "@/api/objections";
import { sessionQuery } from "@/api/queries";
import { loadText } from "@/entities/drive/ratings";
import { formatMoment } from "@/lib/format";
import { Section } from "@/ui/Section";
import { SubmitButton } from "@/ui/SubmitButton";
import { Failed } from "@/ui/states";

type ObjectionsProps = { slug: string; tests: readonly DriveTest[] };

const MOST_LETTERS = 1_000;
const STATES: Readonly<Record<Objection["state"], string>> = {
  open: "waits for a moderator; only your organisation sees it",
  published: "answered",
  refused: "refused; only your organisation sees it",
  withdrawn: "withdrawn; only your organisation sees it",
};

export function Objections({ slug, tests }: ObjectionsProps) {
  const mayObject = useQuery(sessionQuery()).data?.capabilities.includes("object") === true;
  const objections = useQuery(objectionsQuery(slug)).data?.items ?? [];
  const withdraw = useMutation({ mutationFn: (id: string, { client }) => withdrawObjection(client, slug, id) });
  const open = tests.filter(({ visibility }) => visibility === "public");
  if (objections.length === 0 && (!mayObject || open.length === 0)) return null;
  return (
    <Section title="Objections">
      {objections.length === 0 ? <p className="dim">Nothing is objected to.</p> : null}
      <Failed error={withdraw.error} what="The objection" />
      <ul>
        {objections.map((objection) => (
          <li key={objection.objection_id}>
            <p>
              {objection.about}, {formatMoment(objection.made_at)}: {objection.reason}
            </p>
            {objection.answer === null ? null : (
              <p>
                Answer{objection.decided_at === null ? "" : `, ${formatMoment(objection.decided_at)}`}:{" "}
                {objection.answer}
              </p>
            )}
            {objection.is_own ? (
              <p className="dim">
                By {objection.made_by}; {STATES[objection.state]}.{" "}
                {objection.state === "open" || objection.state === "published" ? (
                  <Button
                    className="no-print"
                    size="compact-xs"
                    loading={withdraw.isPending}
                    onClick={() => withdraw.mutate(objection.objection_id)}
                  >
                    Withdraw
                  </Button>
                ) : null}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
      {mayObject && open.length > 0 ? <ObjectionForm slug={slug} tests={open} /> : null}
    </Section>
  );
}

const SCHEMA = z.object({
  test_id: z.string(),
  reason: z.string().check(z.trim(), z.minLength(1, "Say what is wrong.")),
});

function ObjectionForm({ slug, tests }: ObjectionsProps) {
  const form = useForm({
    initialValues: { test_id: tests[0]?.test_id ?? "", reason: "" },
    validate: schemaResolver(SCHEMA, { sync: true }),
  });
  const make = useMutation({
    mutationFn: ({ test_id, reason }: typeof form.values, { client }) =>
      makeObjection(client, slug, { test_id, reason: reason.trim().replaceAll(/\s+/g, " ") }),
    onSuccess: () => form.setFieldValue("reason", ""),
  });
  return (
    <details className="no-print">
      <summary>Object to a test</summary>
      <form onSubmit={form.onSubmit((objection) => make.mutate(objection))}>
        <p className="dim">
          A moderator answers. Then everybody sees reason, answer and dates, and not who objected. Ratings do not change
          by it.
        </p>
        <NativeSelect
          label="Test"
          data={tests.map(({ test_id: value, load, metric_class: metric, source }) => ({
            value,
            label: `${loadText(load)}, ${source.title}, ${metric}`,
          }))}
          {...form.getInputProps("test_id")}
        />
        <Textarea label="What is wrong with it" rows={3} maxLength={MOST_LETTERS} {...form.getInputProps("reason")} />
        <SubmitButton mutation={make} what="The objection" mt="xs">
          Object
        </SubmitButton>
      </form>
    </details>
  );
}
