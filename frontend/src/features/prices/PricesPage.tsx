// Prices page: prices used for costs, the reader's private list of drives and rented machines (by form or CSV), and
// published prices.
import { Autocomplete, Button, NativeSelect, TextInput } from "@mantine/core";
import { schemaResolver, type UseFormReturnType, useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Ref, useId, useRef } from "react";
import * as z from "zod/mini";
import { driveSearchQuery } from "@/api/drivePage";
import {
  type PriceEntry,
  type PublishedPrice,
  pricesQuery,
  publishedPricesQuery,
  removePrice,
  storePrices,
} from "@/api/prices";
import { priceText } from "@/entities/drive/cost";
import { formatCapacity, rowName } from "@/entities/drive/ratings";
import { fullSearch } from "@/entities/question/address";
import { FEW_READS, FEW_READS_TEXT } from "@/entities/question/question";
import { saveCsv, toCsv } from "@/lib/csv";
import { formatDay, plural } from "@/lib/format";
import { ConfirmButton, RowButton } from "@/ui/ConfirmDialog";
import { CsvButton } from "@/ui/CsvButton";
import { ACTIONS, type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { FilesButton } from "@/ui/FilesButton";
import { DriveLink } from "@/ui/links";
import { Failed, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { Unknown } from "@/ui/Value";
import { isUsed, PublishedPrices } from "./PublishedPrices";

const COLUMNS = ["drive", "capacity", "price", "currency", "power_w", "dwpd", "date", "source", "per"] as const;
type Column = (typeof COLUMNS)[number];
type Fields = Readonly<Record<Column, string>>;

const today = (): string => new Date().toISOString().slice(0, 10);
const empty = (): Fields => ({
  ...(Object.fromEntries(COLUMNS.map((column) => [column, ""])) as Fields),
  currency: "EUR",
  date: today(),
});

const positive = (example: string) =>
  z.string().check(z.refine((text) => text === "" || Number(text) > 0, `Write a number above 0, such as ${example}.`));
/** Checks before sending, shown at the field; the API checks again. */
const SCHEMA = z
  .object({
    capacity: z.string().check(z.regex(/^\s*$|[a-z]\s*$/i, "Write it with its unit, such as 1.92\u00a0TB.")),
    price: positive("349.90"),
    currency: z.string().check(z.regex(/^[a-z]{3}$/i, "Three letters, such as EUR.")),
    power_w: positive("12.8"),
    dwpd: positive("1"),
    per: z.string(),
  })
  .check(
    z.refine(({ capacity, per }) => per !== "" || capacity.trim() !== "", {
      error: "A drive is bought with a capacity: write it, or choose “per hour”.",
      path: ["capacity"],
    }),
  );

const cellsOf = (fields: Fields): string[] => COLUMNS.map((column) => fields[column]);

/** Returns a capacity as text that is read as the same number of bytes: another would be a price of another drive. */
const exactCapacity = (bytes: number): string =>
  bytes % (bytes < 1e12 ? 1e9 : 1e10) === 0 ? formatCapacity(bytes) : `${bytes} B`;

const fieldsOf = (entry: PriceEntry): Fields => ({
  drive: entry.slug,
  capacity: entry.capacity_bytes === null ? "" : exactCapacity(entry.capacity_bytes),
  price: String(entry.price),
  currency: entry.currency,
  power_w: String(entry.power_w ?? ""),
  dwpd: String(entry.dwpd ?? ""),
  date: entry.stated_on,
  source: entry.source,
  per: entry.per ?? "",
});

export function PricesPage() {
  usePageTitle("Prices");
  const prices = useQuery(pricesQuery());
  const form = useForm({ initialValues: empty(), validate: schemaResolver(SCHEMA, { sync: true }) });
  const store = useMutation({ mutationFn: (csv: Blob, { client }) => storePrices(client, csv) });
  const firstField = useRef<HTMLInputElement>(null);
  const edit = (entry: PriceEntry) => {
    form.setValues(fieldsOf(entry));
    firstField.current?.focus();
  };
  const published = useQuery(publishedPricesQuery());
  const isKnown = prices.data !== undefined && published.data !== undefined;
  const entries = prices.data?.entries ?? [];
  return (
    <div className="stack-16">
      <header className="lead">
        <h1>{isKnown ? answerText(entries, published.data.prices) : "Prices"}</h1>
        {/* Appears together with the answer in the heading above, so that the text does not move. */}
        {isKnown ? (
          <p>
            A price of yours replaces a published one, and only your organisation sees it. See the cost on{" "}
            <Link to="/drives">the drives</Link>, or{" "}
            <Link to="/compare" search={fullSearch({ template: "cost" as const, ...FEW_READS })}>
              what {FEW_READS_TEXT}, costs on each drive
            </Link>
            .
          </p>
        ) : null}
      </header>
      <Failed error={store.error} what="The prices" />
      {prices.data === undefined ? <QueryView query={prices} what="the prices" lines={4} height={40} /> : null}
      {published.data === undefined ? (
        <QueryView query={published} what="the prices of documents" lines={4} height={40} />
      ) : null}
      {isKnown ? (
        <>
          {entries.length === 0 ? null : (
            <>
              <h2>My prices</h2>
              <PriceTable entries={entries} onEdit={edit} />
              <div className="row">
                <CsvButton
                  onSave={() =>
                    saveCsv("prices.csv", { header: COLUMNS, rows: entries.map((entry) => cellsOf(fieldsOf(entry))) })
                  }
                />
              </div>
            </>
          )}
          <PriceForm
            firstField={firstField}
            form={form}
            isPending={store.isPending}
            onStore={(fields) => store.mutate(new Blob([toCsv(COLUMNS, [cellsOf(fields)])]), { onSuccess: form.reset })}
          />
          <div className="row no-print">
            <FilesButton
              isSingle
              size="xs"
              accept=".csv,text/csv,text/plain"
              label="Price list as a CSV file"
              onFiles={([file]) => file && store.mutate(file)}
            >
              Add a CSV file
            </FilesButton>
            <span className="dim">
              First row: {COLUMNS.join(", ")}. power_w, dwpd and per may be empty; per is “hour” for what is rented.
            </span>
          </div>
          <h2>Published prices</h2>
          <PublishedPrices prices={published.data.prices} />
        </>
      ) : null}
    </div>
  );
}

/** Returns the prices in use as a sentence: `Costs use 24 published prices; none is yours`. */
function answerText(entries: readonly PriceEntry[], published: readonly PublishedPrice[]): string {
  const used = plural(published.filter(isUsed).length, "published price");
  if (entries.length === 0) return `Costs use ${used}; none is yours`;
  return `Costs use ${plural(entries.length, "price")} of yours and ${used}`;
}

type PriceFormProps = {
  firstField: Ref<HTMLInputElement>;
  form: UseFormReturnType<Fields>;
  isPending: boolean;
  onStore: (fields: Fields) => void;
};

function PriceForm({ firstField, form, isPending, onStore }: PriceFormProps) {
  const titleId = useId();
  const [debounced] = useDebouncedValue(form.values.drive.trim(), 200);
  const search = useQuery({ ...driveSearchQuery(debounced), enabled: debounced.length > 1 });
  const names = [...new Set((search.data?.drives ?? []).map(({ vendor, name }) => `${vendor ?? ""} ${name}`.trim()))];
  const isRented = form.values.per !== "";
  const field = (name: Column) => form.getInputProps(name);
  return (
    <form className="stack-12 panel no-print" aria-labelledby={titleId} onSubmit={form.onSubmit(onStore)}>
      <h2 id={titleId}>Add or change a price</h2>
      <div className="fields">
        <Autocomplete
          ref={firstField}
          label="Drive or instance"
          required
          data={names}
          filter={({ options }) => options}
          {...field("drive")}
        />
        <TextInput
          label="Capacity"
          placeholder={isRented ? "every capacity" : "1.92 TB"}
          required={!isRented}
          withAsterisk={!isRented}
          {...field("capacity")}
        />
        <TextInput label="Price" placeholder="349.90" inputMode="decimal" required withAsterisk {...field("price")} />
        <NativeSelect
          label="Paid"
          data={[
            { value: "", label: "once" },
            { value: "hour", label: "per hour" },
          ]}
          {...field("per")}
        />
        <TextInput label="Currency" placeholder="EUR" maxLength={3} required withAsterisk {...field("currency")} />
        <TextInput label="Power in watts" inputMode="decimal" {...field("power_w")} />
        <TextInput label="Drive writes per day" inputMode="decimal" {...field("dwpd")} />
        <TextInput label="Date" type="date" required withAsterisk {...field("date")} />
        <TextInput label="Source" placeholder="offer, address" required withAsterisk {...field("source")} />
      </div>
      <Button variant="filled" type="submit" loading={isPending} className="self-start">
        Store the price
      </Button>
    </form>
  );
}

const ownPrice = ({ price, currency, per }: PriceEntry) => ({ lower: price, upper: price, currency, per });

const nameOf = (entry: PriceEntry): string => rowName({ ...entry, drive: entry });

function PriceTable({ entries, onEdit }: { entries: readonly PriceEntry[]; onEdit: (entry: PriceEntry) => void }) {
  const queries = useQueryClient();
  const columns: Columns<PriceEntry> = [
    {
      header: "Drive or instance",
      accessorFn: (entry) => <DriveLink slug={entry.slug}>{nameOf(entry)}</DriveLink>,
      meta: { isRowHeader: true },
    },
    { header: "Price", accessorFn: (entry) => priceText(ownPrice(entry)), meta: RIGHT },
    {
      header: "Power",
      accessorFn: ({ power_w }) => (power_w === null ? <Unknown reason="not stated" /> : `${power_w} W`),
      meta: RIGHT,
    },
    { header: "Drive writes per day", accessorFn: ({ dwpd }) => dwpd ?? <Unknown reason="not stated" />, meta: RIGHT },
    { header: "Date and source", accessorFn: (entry) => `${formatDay(entry.stated_on)}, ${entry.source}` },
    {
      ...ACTIONS,
      accessorFn: (entry) => (
        <div className="row">
          <RowButton label="Edit" name={`Edit ${nameOf(entry)}`} onClick={() => onEdit(entry)} />
          <ConfirmButton
            label="Remove"
            name={`Remove ${nameOf(entry)}`}
            title={`Remove the price of ${nameOf(entry)}?`}
            action={() => removePrice(queries, entry)}
            what="The price"
            confirm="Remove the price"
          />
        </div>
      ),
      meta: { className: "no-print" },
    },
  ];
  return (
    <DataTable
      label="My prices, as a table"
      plain="cards"
      columns={columns}
      rows={entries}
      rowId={({ slug, capacity_bytes }) => `${slug} ${capacity_bytes}`}
    />
  );
}
