// Side-by-side comparison of the shortlist: comparability per pair, then differences in ratings, loads and facts.
import { ActionIcon, Button, Group, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { comparabilityQuery } from "@/api/leaderboard";
import { serverNow } from "@/api/serverClock";
import type { Comparability, LeaderboardRow } from "@/api/types";
import { CellSign } from "@/entities/drive/CellSign";
import { type Measure, shareText } from "@/entities/drive/measure";
import { Rank } from "@/entities/drive/Rank";
import {
  CELL_WORDS,
  evidenceName,
  formatCapacity,
  generationName,
  LOAD_MEANING,
  loadText,
  metricName,
  overProvisioningName,
  rankText,
  ratingMeaning,
  ratingText,
} from "@/entities/drive/ratings";
import { saveCsv } from "@/lib/csv";
import { exactPercent, formatMoment, plural, sentence } from "@/lib/format";
import { CsvButton } from "@/ui/CsvButton";
import { type Columns, DataTable, ROW_HEADER } from "@/ui/DataTable";
import { IconCheck, IconCross, IconQuestion } from "@/ui/icons";
import { DriveLink } from "@/ui/links";
import { QueryView } from "@/ui/states";
import { Unknown } from "@/ui/Value";
import classes from "./Compare.module.css";
import { COLUMNS } from "./columns";
import { shortCsv } from "./exports";
import { labelsOf, type PickedPair, pairsOf, pickOf, testsOf } from "./shortlist";

type CompareProps = {
  question: string;
  rows: readonly LeaderboardRow[];
  loads: readonly number[];
  measure: Measure;
  onlyDifferences: boolean;
  onOnlyDifferences: (only: boolean) => void;
  onRemove: (pick: string) => void;
  onClose: () => void;
};

export function Compare(props: CompareProps) {
  const { question, rows, loads, measure, onlyDifferences, onOnlyDifferences, onRemove, onClose } = props;
  const titleId = useId();
  const pairs = pairsOf(rows);
  const tests = testsOf(pairs);
  const labels = labelsOf(rows);
  const verdicts = useQuery(comparabilityQuery(tests));
  const lines = linesOf(rows, loads, measure).filter((line) => !onlyDifferences || line.differs);
  const columns: Columns<Line> = [
    {
      id: "line",
      header: "",
      accessorFn: ({ name, differs }) => (
        <>
          {name}
          {differs ? <span className="visually-hidden"> (differs)</span> : null}
        </>
      ),
      meta: { ...ROW_HEADER, cell: ({ meaning }) => ({ title: meaning }) },
    },
    ...rows.map((row) => ({
      id: row.row_id,
      header: () => (
        <>
          <DriveLink slug={row.drive.slug}>{labels.get(row)}</DriveLink>
          <ActionIcon
            size="sm"
            ml={4}
            className="no-print"
            aria-label={`Take ${labels.get(row)} off the shortlist`}
            onClick={() => onRemove(pickOf(row))}
          >
            <IconCross size={11} />
          </ActionIcon>
        </>
      ),
      accessorFn: (line: Line) => line.show(row),
    })),
  ];
  return (
    <section className="stack-12 panel" style={{ borderColor: "var(--accent)" }} aria-labelledby={titleId}>
      <div className="row">
        <h2 id={titleId} style={{ marginRight: "auto" }}>
          {rows.length === 1 ? "One row on the shortlist" : `${rows.length} rows side by side`}
        </h2>
        <Switch
          size="xs"
          label="Only differences"
          checked={onlyDifferences}
          onChange={(event) => onOnlyDifferences(event.currentTarget.checked)}
        />
        <CsvButton onSave={() => saveCsv("shortlist.csv", shortCsv({ rows, question, limits: measure.limits }))} />
        <Button size="xs" onClick={printSheet}>
          Print the sheet
        </Button>
        <Button size="xs" onClick={onClose}>
          Close
        </Button>
      </div>
      <p>{question}</p>
      <p className={classes["printed"]}>
        {formatMoment(new Date(serverNow()).toISOString())} · {window.location.origin}
        {window.location.pathname}
        {window.location.search}
      </p>
      {rows.length < 2 ? (
        <p className="dim">Put another row on the shortlist to compare it.</p>
      ) : tests.length < 2 ? (
        <p className="dim">There are no tests of these rows to compare.</p>
      ) : verdicts.data === undefined ? (
        <QueryView query={verdicts} what="whether they can be compared" lines={2} />
      ) : (
        <Pairs pairs={pairs} labels={labels} verdicts={verdicts.data} />
      )}
      <DataTable
        label="Shortlist, side by side"
        plain
        className={classes["table"]}
        columns={columns}
        rows={lines}
        rowAttributes={({ differs }) => ({ "data-differs": differs || undefined })}
        groupOf={({ part }) => part}
        headingOf={({ part }) => part}
      />
      {onlyDifferences && lines.length === 0 ? <p className="dim">Nothing that is on record differs.</p> : null}
    </section>
  );
}

function printSheet(): void {
  const root = document.documentElement;
  root.dataset["printed"] = "sheet";
  window.addEventListener("afterprint", () => delete root.dataset["printed"], { once: true });
  window.print();
}

type PairsProps = {
  pairs: readonly PickedPair[];
  labels: ReadonlyMap<LeaderboardRow, string>;
  verdicts: Comparability;
};

const LOOKS = {
  yes: { Sign: IconCheck, tone: "pass" },
  no: { Sign: IconCross, tone: "fail" },
  unknown: { Sign: IconQuestion, tone: "unsure" },
} as const;

function Pairs({ pairs, labels, verdicts }: PairsProps) {
  const judged = pairs.map((pair) => ({ pair, verdict: verdictOn(pair, verdicts) }));
  const refused = judged.filter(({ verdict }) => verdict?.comparable !== true).length;
  return (
    <div className={`stack-8 ${classes["pairs"]}`}>
      <p>
        <strong>
          {refused === 0
            ? "They can be compared."
            : refused === pairs.length
              ? "They cannot be put in one order."
              : `${plural(refused, "pair")} of ${pairs.length} cannot be put in one order.`}
        </strong>
      </p>
      <ul className="stack-6 plain-list">
        {judged.map(({ pair, verdict }) => {
          const { Sign, tone } = LOOKS[verdict === null ? "unknown" : verdict.comparable ? "yes" : "no"];
          return (
            <li
              key={`${pair.first.row_id} ${pair.second.row_id}`}
              className="with-icon notice"
              style={{ background: `var(--${tone}-soft)`, color: `var(--${tone}-ink)` }}
            >
              <Sign size={13} />
              <div>
                <p>
                  <strong>
                    {labels.get(pair.first)} and {labels.get(pair.second)}
                  </strong>
                  {verdict === null
                    ? ": one of them has no test."
                    : verdict.comparable
                      ? `: comparable at ${loadText(pair.load ?? 0)}.`
                      : pair.load === null
                        ? ", no tested load in common:"
                        : `, at ${loadText(pair.load)}:`}
                </p>
                {verdict?.reasons.map((reason) => (
                  <p key={reason}>{sentence(reason)}.</p>
                ))}
                {verdict?.warnings.map((warning) => (
                  <p key={warning} className="dim">
                    Keep in mind: {warning}.
                  </p>
                ))}
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Returns the API's verdict on the pair; null without tests to compare. */
function verdictOn({ tests }: PickedPair, { pairs }: Comparability): Comparability["pairs"][number] | null {
  if (tests === null) return null;
  const [firstTest, other] = tests;
  const verdict = pairs.find(
    ({ first, second }) => (first === firstTest && second === other) || (first === other && second === firstTest),
  );
  return verdict ?? null;
}

type Line = {
  readonly part: string;
  readonly name: string;
  readonly meaning?: string;
  readonly differs: boolean;
  readonly show: (row: LeaderboardRow) => ReactNode;
};

const RATINGS = "Under these rules";
const CONDITIONS = "Tested how";
const FACTS = "Facts";
/** Facts that the comparison shows elsewhere. */
const NOT_FACTS = new Set(["rating", "rank", "exceedance", "capacity", "evidence"]);

function linesOf(rows: readonly LeaderboardRow[], loads: readonly number[], measure: Measure): Line[] {
  /** Returns a line with one text per row; the line counts as different if its texts differ. */
  const of = (
    part: string,
    name: string,
    text: (row: LeaderboardRow) => string | null,
    { why = "no source in the catalogue says it", ...more }: Partial<Line> & { why?: string } = {},
  ): Line => {
    const differs = new Set(rows.map(text)).size > 1;
    return { part, name, differs, show: (row) => text(row) ?? <Unknown reason={why} />, ...more };
  };
  const common = loads
    .map((load, index) => ({ load, index }))
    .filter(({ index }) => rows.filter((row) => (row.cells[index]?.test_ids.length ?? 0) > 0).length > 1);
  return [
    of(RATINGS, "Rating", (row) => ratingText(row.rating), {
      show: (row) => {
        const text = ratingText(row.rating);
        if (text === null) return <Unknown reason="no test of it decides anything under these rules" />;
        return (
          <>
            <strong>{text}</strong> <span className="dim">{ratingMeaning(row.rating)}</span>
          </>
        );
      },
    }),
    of(RATINGS, "Rank", (row) => (row.rank === null ? null : `${rankText(row.rank)} of ${row.rank.among}`), {
      meaning: "among rows of the same conditions",
      show: (row) => <Rank row={row} />,
    }),
    ...common.map(({ load, index }) =>
      of("At loads they have in common", loadText(load), (row) => cellKey(row, index, measure), {
        meaning: LOAD_MEANING,
        show: (row) => <CommonCell row={row} index={index} measure={measure} />,
      }),
    ),
    of(CONDITIONS, "Timed", (row) => metricName(row.metric_class)),
    of(CONDITIONS, "Over-provisioning", (row) => {
      const { class: op, usable_ratio: usable } = row.over_provisioning;
      return usable === null ? overProvisioningName(op) : `${overProvisioningName(op)}, ${exactPercent(usable)} usable`;
    }),
    of(CONDITIONS, "Tool", (row) => generationName(row.generation)),
    of(CONDITIONS, "Evidence", (row) => row.evidence.map(evidenceName).join(", ")),
    of(FACTS, "Capacity", (row) => (row.capacity_bytes === null ? null : formatCapacity(row.capacity_bytes)), {
      why: "the sources do not state the capacity",
    }),
    ...COLUMNS.filter(({ key }) => !NOT_FACTS.has(key)).map((column) =>
      of(
        FACTS,
        column.label,
        (row) => {
          const shown = column.show(row, measure.limits);
          return "unknown" in shown ? null : shown.text;
        },
        {
          meaning: column.name ?? column.label,
          show: (row) => {
            const shown = column.show(row, measure.limits);
            return "unknown" in shown ? (
              <Unknown reason={shown.unknown} />
            ) : (
              <span title={shown.exact}>{shown.text}</span>
            );
          },
        },
      ),
    ),
  ];
}

function cellKey(row: LeaderboardRow, index: number, measure: Measure): string {
  const cell = row.cells[index];
  return cell === undefined
    ? ""
    : [cell.state, ...cell.exceedances.map((range) => shareText(measure, range))].join(" ");
}

function CommonCell({ row, index, measure }: { row: LeaderboardRow; index: number; measure: Measure }) {
  const cell = row.cells[index];
  if (cell === undefined) return <Unknown reason="no such load" />;
  return (
    <Group align="stretch" wrap="nowrap" gap={8}>
      <CellSign state={cell.state} silent />
      <div>
        {CELL_WORDS[cell.state].word}
        {cell.exceedances.map((range) => (
          <div key={range.threshold_ns} className="dim">
            {shareText(measure, range)}
          </div>
        ))}
      </div>
    </Group>
  );
}
