// Printed table with every number, its unit and conditions. Each row has an anchor and its findings.
import { useId } from "react";
import type { Schemas } from "@/api/types";
import { SeverityChip, severityPlace } from "@/entities/finding/Severity";
import { fileStem, saveCsv } from "@/lib/csv";
import { joinParts, plural } from "@/lib/format";
import { intervalText, printedMeaning, printedText } from "@/lib/printed";
import { CsvButton } from "@/ui/CsvButton";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { DriveLink } from "@/ui/links";
import { Unknown } from "@/ui/Value";
import { marking, type PublicationSearch } from "./address";
import classes from "./ClaimTable.module.css";
import { claimCsv } from "./claimCsv";
import {
  type ClaimLike,
  claimName,
  loadText,
  type RowLike,
  type TableLike,
  type TableView,
  tableView,
} from "./claimTable";
import { calculatedText, type FindingLike } from "./findings";
import { PlaceLink } from "./PlaceLink";

export type TableContext = {
  readonly slug: string;
  readonly view: PublicationSearch;
  /** Id of the row that the address points to; null without one. */
  readonly target: string | null;
  readonly byRow: ReadonlyMap<string, readonly FindingLike[]>;
  /** Keys of the claims whose rows are marked. */
  readonly marked: ReadonlySet<string>;
  /** Slugs of the drives that have a page. */
  readonly drives: ReadonlySet<string>;
  readonly recomputed: ReadonlyMap<string, readonly RecomputedText[]>;
};

export function ClaimTable({ table, context }: { table: TableLike; context: TableContext }) {
  const titleId = useId();
  const view = tableView(table);
  const Content = view.layout === "matrix" ? Matrix : List;
  const count = table.rows.reduce((sum, row) => sum + row.claims.length, 0);
  return (
    <section id={`table-${table.id}`} className="stack-8 anchored panel" aria-labelledby={titleId}>
      <div className="wrap between">
        <div>
          <h3 id={titleId}>{table.title ?? table.id}</h3>
          <p className="dim">
            {plural(table.rows.length, "row")}, {plural(count, "number")}
            {table.title_as_printed == null || table.title_as_printed === table.title
              ? ""
              : ` · printed as “${table.title_as_printed}”`}
          </p>
        </div>
        <CsvButton onSave={() => saveCsv(`${context.slug}-${fileStem(table.id)}.csv`, claimCsv(table))} />
      </div>
      {table.note === null || table.note === "" ? null : <p>{table.note}</p>}
      {view.shared.length === 0 ? null : (
        <p className="wrap small">
          {view.shared.map(({ name, text }) => (
            <span key={name}>
              <span className="dim">{name}:</span> {text}
            </span>
          ))}
        </p>
      )}
      <Content table={table} view={view} context={context} />
    </section>
  );
}

type PartProps = { table: TableLike; view: TableView; context: TableContext };

function Matrix({ table, view, context }: PartProps) {
  const columns: Columns<RowLike> = [
    {
      header: "Row",
      accessorFn: (row) => <RowName row={row} view={view} context={context} />,
      meta: { className: "name-cell", onPhone: "wide" },
    },
    ...view.sides.map(({ key, name, of }) => ({
      id: `side ${key}`,
      header: name,
      accessorFn: (row: RowLike) => of(row) ?? <Unknown reason="the document does not say" />,
    })),
    ...view.columns.map((column) => ({
      id: `claims ${column.key}`,
      header: () => (
        <>
          {column.name}
          {column.detail === null ? null : <span className="block">{column.detail}</span>}
          {column.subject === null ? null : (
            <span
              className="block fine"
              style={{ maxWidth: 208, marginLeft: "auto", fontWeight: 400, whiteSpace: "normal" }}
            >
              {column.subject}
            </span>
          )}
        </>
      ),
      accessorFn: (row: RowLike) => {
        const claims = view.cell(row, column);
        if (claims.length === 0) return <Unknown reason="not in this row of the document" />;
        return claims.map((claim) => <PrintedClaim key={claim.key} claim={claim} context={context} />);
      },
      meta: {
        ...RIGHT,
        label: joinParts([column.name, column.detail, column.subject], ", "),
        cell: (row: RowLike) => markedBy(view.cell(row, column), context),
      },
    })),
  ];
  return (
    <DataTable
      label={`${table.title ?? table.id}, as a table`}
      plain="cards"
      className="dense"
      columns={columns}
      rows={table.rows}
      rowAttributes={(row) => anchor(row, context)}
    />
  );
}

const markedBy = (claims: readonly ClaimLike[], context: TableContext) => ({
  "data-marked": claims.some(({ key }) => context.marked.has(key)) || undefined,
});

type ClaimLine = { row: RowLike; claim: ClaimLike };

/** Renders each claim on its own line, for tables whose claims have few attributes in common. */
function List({ table, view, context }: PartProps) {
  const lines = table.rows.flatMap((row) => row.claims.map((claim): ClaimLine => ({ row, claim })));
  const columns: Columns<ClaimLine> = [
    {
      header: "Stated about",
      accessorFn: ({ row }) => <RowName row={row} view={view} context={context} />,
      meta: { className: "name-cell", onPhone: "wide", spansGroup: true },
    },
    { header: "What", accessorFn: ({ claim }) => claimName(claim) },
    {
      header: "Number",
      accessorFn: ({ claim }) => <PrintedClaim claim={claim} context={context} />,
      meta: { ...RIGHT, cell: ({ claim }) => markedBy([claim], context) },
    },
    ...view.sides.map(({ key, name, of }) => ({
      id: `side ${key}`,
      header: name,
      // Each line of the list has its own claim and load.
      accessorFn: ({ row, claim }: ClaimLine) => (key === "load" ? loadText(claim.load) : of(row)),
    })),
  ];
  return (
    <DataTable
      label={`${table.title ?? table.id}, as a table`}
      plain="cards"
      columns={columns}
      rows={lines}
      groupOf={({ row }) => row.row}
      rowAttributes={({ row, claim }) => ({
        ...anchor(row, context),
        ...(claim === row.claims[0] ? {} : { id: undefined }),
      })}
    />
  );
}

/** Returns the attributes of a row that make it the target of links. */
const anchor = ({ row }: RowLike, { target }: TableContext) => ({
  id: row,
  className: classes["row"],
  tabIndex: -1,
  "data-target": target === row || undefined,
});

function RowName({ row, view, context }: { row: RowLike; view: TableView; context: TableContext }) {
  const reading = view.reading(row);
  const about = view.subject(row);
  const subject =
    about !== null && row.item_slug !== null && context.drives.has(row.item_slug) ? (
      <DriveLink slug={row.item_slug} preload="intent">
        {about}
      </DriveLink>
    ) : (
      about
    );
  return (
    <>
      <span>
        {row.label ?? subject ?? row.subject}{" "}
        <PlaceLink
          slug={context.slug}
          view={context.view}
          hash={row.row}
          className="nowrap smaller no-print plain-link"
          aria-label={`Link to row ${row.row}`}
        >
          {row.row}
        </PlaceLink>
      </span>
      {row.label === null || subject === null ? null : <span className="block dim fine">{subject}</span>}
      {reading === null ? null : <span className="block dim fine">read as {reading}</span>}
      <RowFindings row={row} context={context} />
    </>
  );
}

function PrintedClaim({ claim, context }: { claim: ClaimLike; context: TableContext }) {
  const ends = context.view.ends === "shown" ? intervalText(claim.printed) : null;
  const recomputed = context.recomputed.get(claim.key) ?? [];
  return (
    <span className={`block nowrap ${classes["number"]}`}>
      <span title={printedMeaning(claim.printed)}>{printedText(claim.printed)}</span>
      {ends === null ? null : <span className="block dim fine">{ends}</span>}
      {recomputed.map((value) => (
        <span
          key={value.text}
          className={value.differs ? "block fine unsure strong" : "block dim fine"}
          title={value.meaning}
        >
          {value.text}
        </span>
      ))}
    </span>
  );
}

const MOST_SIGNS = 4;

function RowFindings({ row, context }: { row: RowLike; context: TableContext }) {
  const findings = [...(context.byRow.get(row.row) ?? [])]
    .filter((finding) => finding.severity !== "info")
    .sort((a, b) => severityPlace(a.severity) - severityPlace(b.severity));
  if (findings.length === 0) return null;
  return (
    <span className="row smaller" style={{ gap: "2px 4px", lineHeight: "18px" }}>
      {findings.slice(0, MOST_SIGNS).map((finding) => (
        <PlaceLink
          key={finding.id}
          slug={context.slug}
          view={marking(context.view, finding.id)}
          hash={`finding-${finding.id}`}
          title={finding.statement}
          aria-label={`${finding.check}, ${finding.severity}: ${finding.kind}`}
          style={{ textDecoration: "none" }}
        >
          <SeverityChip severity={finding.severity} text={finding.check} />
        </PlaceLink>
      ))}
      {findings.length > MOST_SIGNS ? <span className="dim">and {findings.length - MOST_SIGNS} more</span> : null}
    </span>
  );
}

type RecomputedLike = Schemas["RecomputedOut"];
type RecomputedText = { readonly text: string; readonly meaning: string; readonly differs: boolean };

/** Returns the short text below a number; hover shows the rest. */
function words(value: RecomputedLike): string {
  const text = value.value === null ? "not known" : calculatedText(value.value, value.unit);
  if (/in flight/.test(value.label)) return `${text} in flight`;
  if (value.how !== null) return `recomputed ${text}, ${value.how}`;
  return `recomputed ${text}${value.agrees === false ? ", differs" : ""}`;
}

export function recomputedByClaim(recomputed: readonly RecomputedLike[]): Map<string, RecomputedText[]> {
  const byClaim = new Map<string, RecomputedText[]>();
  for (const value of recomputed) {
    const text: RecomputedText = {
      text: words(value),
      meaning: `${value.label}, from ${value.rests_on.join(" and ")}${value.agrees === true ? "; both can be one number" : ""}`,
      // Truncation is no error, but the text still marks it as different from rounding.
      differs: value.agrees === false || value.how === "truncated",
    };
    byClaim.set(value.claim_key, [...(byClaim.get(value.claim_key) ?? []), text]);
  }
  return byClaim;
}
