// Findings for and against the document: text, figures, severity, origin, and the rows concerned.
import { Group, SegmentedControl } from "@mantine/core";
import { useId } from "react";
import { OriginTag, SeverityBadge } from "@/entities/finding/Severity";
import { plural } from "@/lib/format";
import { intervalText, printedMeaning } from "@/lib/printed";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import type { PublicationChange, PublicationSearch } from "./address";
import type { TableLike } from "./claimTable";
import classes from "./Findings.module.css";
import { type FigureLike, type FindingLike, figureTable, figureText, rowsOf, sortFindings } from "./findings";
import { PlaceLink } from "./PlaceLink";

type FindingsProps = {
  slug: string;
  findings: readonly FindingLike[];
  tables: readonly TableLike[];
  view: PublicationSearch;
  onView: (change: PublicationChange) => void;
};

/** Highest number of rows linked one by one; more are reached by marking them all. */
const MOST_ROWS = 12;

export function Findings({ slug, findings, tables, view, onView }: FindingsProps) {
  const titleId = useId();
  const sorted = sortFindings(findings);
  const shown = sorted.filter(
    (finding) =>
      (view.severity === undefined || finding.severity === view.severity) &&
      (view.origin === undefined || finding.origin === view.origin),
  );
  const count = (origin: string): number => findings.filter((finding) => finding.origin === origin).length;
  return (
    <section
      id="findings"
      className="stack-8 panel"
      style={{ scrollMarginTop: "calc(var(--header-height) + 8px)" }}
      aria-labelledby={titleId}
    >
      <Group justify="space-between" gap="8px 24px">
        <h2 id={titleId}>Audit findings</h2>
        <div className="no-print">
          <SegmentedControl
            size="xs"
            aria-label="Who found it"
            value={view.origin ?? "all"}
            data={[
              { value: "all", label: `all (${findings.length})` },
              { value: "computed", label: `computed (${count("computed")})` },
              { value: "reviewed", label: `reviewed (${count("reviewed")})` },
            ]}
            onChange={(value) => onView({ origin: value === "all" ? undefined : (value as "computed" | "reviewed") })}
          />
        </div>
      </Group>
      <p className="dim">
        <strong>Computed</strong>: a check of the product calculated it from the numbers below.{" "}
        <strong>Reviewed</strong>: a reader found it in the document; no calculation supports it.
      </p>
      {view.severity === undefined ? null : (
        <p>
          Only <SeverityBadge severity={view.severity} />{" "}
          <button type="button" className="link-button" onClick={() => onView({ severity: undefined })}>
            show all
          </button>
        </p>
      )}
      {shown.length === 0 ? <p>None of these.</p> : null}
      <ol className="plain-list">
        {shown.map((finding) => (
          <FindingItem
            key={finding.id}
            slug={slug}
            finding={finding}
            tables={tables}
            view={view}
            chosen={view.finding === finding.id}
          />
        ))}
      </ol>
    </section>
  );
}

type FindingItemProps = {
  slug: string;
  finding: FindingLike;
  tables: readonly TableLike[];
  view: PublicationSearch;
  chosen: boolean;
};

function FindingItem({ slug, finding, tables, view, chosen }: FindingItemProps) {
  const rows = rowsOf(finding, tables);
  const [first] = rows;
  return (
    <li
      id={`finding-${finding.id}`}
      className={`anchored stack-6 ${classes["finding"]}`}
      data-origin={finding.origin}
      data-chosen={chosen || undefined}
      tabIndex={-1}
    >
      <div className="row">
        <SeverityBadge severity={finding.severity} />
        <OriginTag origin={finding.origin} />
        <span className="dim">
          <strong>{finding.check}</strong> {finding.check_title}: {finding.kind}
        </span>
      </div>
      <div className="halves">
        <div>
          <p style={{ maxWidth: "96ch", overflowWrap: "anywhere" }}>{finding.statement}</p>
          {first === undefined ? null : (
            <p className="small">
              <PlaceLink slug={slug} view={{ ...view, finding: finding.id }} hash={first.row}>
                {rows.length === 1 ? "Show the row it concerns" : `Mark the ${rows.length} rows it concerns`}
              </PlaceLink>
              {rows.length === 1 || rows.length > MOST_ROWS ? null : (
                <span className="dim">
                  {" "}
                  {rows.map(({ row }, index) => (
                    <span key={row}>
                      {index === 0 ? "" : ", "}
                      <PlaceLink slug={slug} view={{ ...view, finding: finding.id }} hash={row}>
                        {row}
                      </PlaceLink>
                    </span>
                  ))}
                </span>
              )}
            </p>
          )}
        </div>
        {finding.figures.length === 0 ? null : <Figures figures={finding.figures} />}
      </div>
    </li>
  );
}

const FEW_FIGURES = 10;

type FigureRow = ReturnType<typeof figureTable>["rows"][number];

function Figures({ figures }: { figures: readonly FigureLike[] }) {
  const { columns: names, rows } = figureTable(figures);
  const columns: Columns<FigureRow> = [{ header: "Figure", accessorKey: "label", meta: ROW_HEADER }];
  for (const [index, header] of (names.length === 0 ? ["Value"] : names).entries())
    columns.push({
      id: `value ${index}`,
      header,
      accessorFn: ({ cells }) => (cells[index] ? figureText(cells[index]) : "—"),
      meta: {
        ...RIGHT,
        cell: ({ cells }) => ({ title: cells[index] ? figureHover(cells[index]) : undefined }),
      },
    });
  if (names.length === 0 && figures.some(({ as_printed }) => as_printed != null))
    columns.push({ header: "Printed", accessorFn: ({ cells }) => cells[0]?.as_printed, meta: RIGHT });
  const label = "Figures of the finding, as a table";
  const content = <DataTable label={label} plain columns={columns} rows={rows} />;
  if (rows.length <= FEW_FIGURES) return content;
  return (
    <details className="fold">
      <summary>{plural(figures.length, "figure")}</summary>
      {content}
    </details>
  );
}

function figureHover(figure: FigureLike): string {
  const exact = figure.value === null ? "" : `${String(Number(figure.value.toPrecision(12)))} ${figure.unit ?? ""}`;
  const interval = intervalText(figure);
  return figure.as_printed == null
    ? [exact, interval === null ? null : `between ${interval}`].filter(Boolean).join("; ")
    : printedMeaning(figure);
}
