// Published prices with source, date and age, those in use first. The reader's own price replaces a published price.
import type { PublishedPrice } from "@/api/prices";
import { moneyUnit, priceAge, priceText } from "@/entities/drive/cost";
import { rowName } from "@/entities/drive/ratings";
import { type CsvTable, saveCsv } from "@/lib/csv";
import { formatDay, joinParts } from "@/lib/format";
import { CsvButton } from "@/ui/CsvButton";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { DriveLink, PublicationLink } from "@/ui/links";

const nameOf = (price: PublishedPrice): string => rowName({ ...price, drive: price });

const COLUMNS: Columns<PublishedPrice> = [
  {
    header: "Drive, instance or volume",
    accessorFn: (price) => <DriveLink slug={price.slug}>{nameOf(price)}</DriveLink>,
    meta: { isRowHeader: true },
  },
  { header: "Price", accessorFn: (price) => priceText(price), meta: RIGHT },
  { header: "For", accessorFn: ({ terms, region }) => joinParts([terms, region], ", ") },
  { header: "Date", accessorFn: (price) => joinParts([priceDay(price), priceAge(price)], ", ") },
  { header: "Source", accessorFn: (price) => <Source price={price} /> },
  { header: "Used for costs", accessorFn: (price) => usedText(price) },
];

const priceDay = ({ date }: PublishedPrice): string => (date === null ? "not stated" : formatDay(date));

function usedText({ is_newest: isNewest, own_price: isReplaced, per }: PublishedPrice): string {
  if (isReplaced) return "no, my price is used";
  if (!isNewest) return "no, a newer one is used";
  return isUseKnown(per) ? "yes" : "no, its use is not on record";
}

const isUseKnown = (per: PublishedPrice["per"]): boolean => per === null || per === "hour";

export const isUsed = ({ is_newest: isNewest, own_price: isReplaced, per }: PublishedPrice): boolean =>
  isNewest && !isReplaced && isUseKnown(per);

function Source({ price: { publication, source } }: { price: PublishedPrice }) {
  if (publication === null) return source;
  return <PublicationLink slug={publication}>{source}</PublicationLink>;
}

const csvOf = (prices: readonly PublishedPrice[]): CsvTable => ({
  header: ["drive", "name", "capacity_bytes", "lower", "upper", "unit", "region", "terms", "date", "source", "newest"],
  rows: prices.map((price) => [
    ...[price.slug, nameOf(price), price.capacity_bytes, price.lower, price.upper, moneyUnit(price)],
    ...[price.region, price.terms, price.date, price.source, price.is_newest ? "yes" : "no"],
  ]),
});

export function PublishedPrices({ prices }: { prices: readonly PublishedPrice[] }) {
  if (prices.length === 0) return <p>No document on record states a price.</p>;
  return (
    <>
      <DataTable
        label="Published prices, as a table"
        plain="cards"
        columns={COLUMNS}
        rows={[...prices].sort((a, b) => Number(isUsed(b)) - Number(isUsed(a)))}
      />
      <div className="row">
        <CsvButton onSave={() => saveCsv("published-prices.csv", csvOf(prices))} />
      </div>
    </>
  );
}
