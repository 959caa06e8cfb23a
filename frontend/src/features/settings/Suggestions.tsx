// Suggestions of the organisation for the shared catalogue, on which a moderator decides.
import { Autocomplete, NativeSelect, TextInput } from "@mantine/core";
import { type FormErrors, schemaResolver, useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import {
  makeSuggestion,
  type SuggestedFact,
  type Suggestion,
  suggestionsQuery,
  withdrawSuggestion,
} from "@/api/catalogue";
import { driveSearchQuery } from "@/api/drivePage";
import { factsText, STATES } from "@/entities/catalogue/suggestions";
import { formatMoment, plural } from "@/lib/format";
import { RowButton } from "@/ui/ConfirmDialog";
import { ACTIONS, type Columns, DataTable, NAME_CELL } from "@/ui/DataTable";
import { SubmitButton } from "@/ui/SubmitButton";
import { Failed, QueryView } from "@/ui/states";
import { TabLead } from "./Section";

const FIELDS: readonly { value: SuggestedFact["field"]; label: string; unit: string | null }[] = [
  { value: "capacity", label: "Capacity", unit: "bytes" },
  { value: "interface", label: "Interface", unit: null },
  { value: "form_factor", label: "Form factor", unit: null },
  { value: "flash", label: "Flash", unit: null },
  { value: "endurance", label: "Endurance", unit: "drive writes a day" },
  { value: "random_read", label: "Random reads", unit: "a second" },
  { value: "random_write", label: "Random writes", unit: "a second" },
  { value: "sequential_read", label: "Sequential reads", unit: "bytes a second" },
  { value: "sequential_write", label: "Sequential writes", unit: "bytes a second" },
  { value: "read_latency", label: "Read latency", unit: "nanoseconds" },
  { value: "write_latency", label: "Write latency", unit: "nanoseconds" },
  { value: "power", label: "Power", unit: "watts" },
];

export function Suggestions({ mayEdit }: { mayEdit: boolean }) {
  const query = useQuery(suggestionsQuery());
  const withdraw = useMutation({ mutationFn: (id: string, { client }) => withdrawSuggestion(client, id) });
  if (query.data === undefined) return <QueryView query={query} what="the suggestions" lines={3} height={40} />;
  const { suggestions } = query.data;
  const columns: Columns<Suggestion> = [
    { header: "About", accessorKey: "name", meta: NAME_CELL },
    { header: "Everybody would see", accessorFn: visibleOf, meta: NAME_CELL },
    {
      header: "By",
      accessorKey: "suggested_by",
      meta: { cell: ({ suggested_at }) => ({ title: formatMoment(suggested_at) }) },
    },
    {
      header: "State",
      accessorFn: ({ state, decided_at, reason }) => (
        <>
          {STATES[state]}
          {decided_at === null ? null : <span className="dim"> {formatMoment(decided_at)}</span>}
          {reason === null ? null : <div className="dim">{reason}</div>}
        </>
      ),
    },
    {
      ...ACTIONS,
      accessorFn: ({ suggestion_id, name, state }) =>
        mayEdit && state === "open" ? (
          <RowButton label="Withdraw" name={`Withdraw ${name}`} onClick={() => withdraw.mutate(suggestion_id)} />
        ) : null,
    },
  ];
  return (
    <>
      <TabLead title={answerText(suggestions)}>
        A moderator decides. Everybody on this installation sees the catalogue, and nobody sees who suggested a fact.
      </TabLead>
      <Failed error={withdraw.error} what="The suggestion" />
      {suggestions.length === 0 ? null : (
        <DataTable
          label="Suggestions, as a table"
          plain="cards"
          columns={columns}
          rows={suggestions}
          rowId="suggestion_id"
        />
      )}
      {mayEdit ? <SuggestionForm /> : null}
    </>
  );
}

/** Returns the result of the tab: `5 suggestions: 2 wait for a moderator, 3 accepted`. */
function answerText(suggestions: readonly Suggestion[]): string {
  if (suggestions.length === 0) return "Your organisation has suggested nothing for the catalogue";
  const counts = Object.entries(STATES).flatMap(([state, name]) => {
    const count = suggestions.filter((suggestion) => suggestion.state === state).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return `${plural(suggestions.length, "suggestion")}: ${counts.join(", ")}`;
}

function visibleOf({ kind, facts, kept_back }: Suggestion): string {
  const shown = factsText(facts);
  const named = kind === "drive" ? `the drive${shown === "" ? "" : `: ${shown}`}` : shown;
  return kept_back.length === 0 ? named : `${named}; its price stays yours`;
}

const unitOf = (field: SuggestedFact["field"]): string | null =>
  FIELDS.find(({ value }) => value === field)?.unit ?? null;

const stated = z.string().check(z.trim(), z.minLength(1, "Fill this in."));
const FACT = z.object({ field: z.enum(FIELDS.map(({ value }) => value)), value: stated, source: stated }).check(
  z.refine(({ field, value }) => unitOf(field) === null || Number(value) >= 0, {
    path: ["value"],
    message: "Write a number.",
  }),
);

function factOf({ field, value, source }: z.infer<typeof FACT>): SuggestedFact {
  return unitOf(field) === null ? { field, text: value, source } : { field, number: Number(value), source };
}

type SuggestionFields = z.infer<typeof FACT> & { drive: string };

const FIRST: SuggestionFields = { drive: "", field: "power", value: "", source: "" };

function SuggestionForm() {
  // A private drive is suggested with all its facts, so the form has no further fields.
  const form = useForm<SuggestionFields>({
    initialValues: FIRST,
    validate: (fields): FormErrors => (isOwn ? {} : schemaResolver(FACT, { sync: true })(fields)),
  });
  const { drive, field } = form.values;
  const [search] = useDebouncedValue(drive, 200);
  const drives = useQuery(driveSearchQuery(search)).data?.drives ?? [];
  const chosen = drives.find(({ vendor, name }) => `${vendor} ${name}` === drive.trim());
  const isOwn = chosen?.private === true;
  const unit = unitOf(field);
  const make = useMutation({
    mutationFn: ({ slug, fact }: { slug: string; fact: SuggestionFields }, { client }) =>
      makeSuggestion(client, isOwn ? { slug } : { slug, fact: factOf(FACT.parse(fact)) }),
    onSuccess: () => form.setValues({ value: "", source: "" }),
  });
  return (
    <form
      className="form panel"
      onSubmit={form.onSubmit((fact) => {
        if (chosen !== undefined) make.mutate({ slug: chosen.slug, fact });
      })}
    >
      <h3>Suggest a drive or a fact</h3>
      <Autocomplete
        label="Drive"
        description="One of your own becomes everybody’s; of others you suggest a fact"
        data={[...new Set(drives.map(({ vendor, name }) => `${vendor} ${name}`))]}
        {...form.getInputProps("drive")}
      />
      {isOwn ? (
        <p>Everybody would see its name and all its facts but the price.</p>
      ) : (
        <>
          <NativeSelect
            label="Fact"
            data={FIELDS.map(({ value, label }) => ({ value, label }))}
            {...form.getInputProps("field")}
          />
          <TextInput
            label={unit === null ? "What it says" : `Number, ${unit}`}
            inputMode={unit === null ? "text" : "decimal"}
            {...form.getInputProps("value")}
          />
          <TextInput
            label="Source"
            description="A data sheet, an address; everybody sees it"
            maxLength={200}
            {...form.getInputProps("source")}
          />
        </>
      )}
      <SubmitButton mutation={make} what="The suggestion" disabled={chosen === undefined}>
        Suggest it
      </SubmitButton>
    </form>
  );
}
