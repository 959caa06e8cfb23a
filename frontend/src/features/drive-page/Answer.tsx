// Loads that the drive holds under the chosen rules, per set of tested conditions: a sentence and a ladder of loads.
import { Group, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { DrivePage, DriveRow } from "@/api/drivePage";
import { budgetsQuery } from "@/api/sla";
import { CellSign } from "@/entities/drive/CellSign";
import { costParts } from "@/entities/drive/cost";
import {
  CELL_STATES,
  CELL_WORDS,
  type LimitOfRating,
  LOAD_MEANING,
  limitWords,
  loadText,
  ratingSentence,
  shareRangeText,
} from "@/entities/drive/ratings";
import { budgetChoices } from "@/entities/question/budgets";
import { AnswerHeader } from "@/entities/verdict/AnswerStage";
import { formatExactLatency, formatSpan, joinParts } from "@/lib/format";
import { type Columns, DataTable, ROW_HEADER } from "@/ui/DataTable";
import { IconWarning } from "@/ui/icons";
import classes from "./Answer.module.css";
import { answerOf, conditionWords, rankSentence, splitConditions } from "./words";

type AnswerProps = { page: DrivePage; onRules: (name: string) => void; outdated: boolean };

type Ladder = {
  readonly rows: readonly DriveRow[];
  readonly loads: readonly number[];
  readonly limits: readonly LimitOfRating[];
  /** Latency threshold of the shares in the cells, in nanoseconds; null if the question has none. */
  readonly thresholdNs: number | null;
  /** Label of the share: `share over 1 ms`, `late transactions`. */
  readonly share: string;
};

/** Shows the answer, and the state of each load under each set of conditions. */
export function LoadLadder({ none, ...ladder }: Ladder & { none: string }) {
  const { own, shared } = splitConditions(ladder.rows);
  const rows = [...ladder.rows].sort((a, b) => (b.rating.passed_load ?? 0) - (a.rating.passed_load ?? 0));
  if (rows.length === 0) return <p>{none}</p>;
  return (
    <>
      <AnswerHeader {...answerOf(rows)} scope="tests" reason={null} />
      {shared === "" || ladder.rows.length === 1 ? null : <p>All of it: {shared}.</p>}
      <LadderTable {...ladder} rows={rows} own={own} />
      <Legend {...ladder} />
    </>
  );
}

export function Answer({ page, onRules, outdated }: AnswerProps) {
  const titleId = useId();
  const rules = page.rule_set;
  const thresholdNs = rules.limits[0]?.threshold_ns ?? null;
  return (
    <section className="stack-12 panel" aria-labelledby={titleId} data-outdated={outdated || undefined}>
      <Group justify="space-between" gap="8px 24px">
        <p className="dim">
          <span id={titleId}>Which load does it hold?</span> {rules.limits.map(limitWords).join(", ")}
          {rules.min_duration_ns > 0 ? `, for ${formatSpan(rules.min_duration_ns)}` : ""} (version {rules.version}).
        </p>
        <RuleSets name={rules.name} title={rules.title} onRules={onRules} />
      </Group>
      <LoadLadder
        none="No test under a known load is on record, so nothing is said about what it holds."
        rows={page.rows}
        loads={page.loads}
        limits={rules.limits}
        thresholdNs={thresholdNs}
        share={`share over ${thresholdNs === null ? "the threshold" : formatExactLatency(thresholdNs)}`}
      />
    </section>
  );
}

function RuleSets({ name, title, onRules }: { name: string; title: string; onRules: (name: string) => void }) {
  const budgets = useQuery(budgetsQuery());
  const choices = budgetChoices(budgets.data?.items ?? [], (kind) => kind === "exceedance" || kind === "rule_set");
  if (!choices.some((choice) => choice.value === name)) choices.unshift({ value: name, label: title });
  return (
    <Select
      className="no-print"
      w={264}
      maw="100%"
      aria-label="Rule set"
      size="xs"
      data={choices}
      value={name}
      onChange={(value) => {
        if (value !== null && value !== name) onRules(value);
      }}
    />
  );
}

/** Ladder, and the text of the conditions in which a row differs from the others. */
type LadderOfRow = Ladder & { own: (row: DriveRow) => string };

function LadderTable({ rows, loads, limits, thresholdNs, own }: LadderOfRow) {
  const columns: Columns<DriveRow> = [
    { header: "Conditions", accessorFn: (row) => own(row) || conditionWords(row), meta: ROW_HEADER },
    ...loads.map((load, index) => ({
      id: String(load),
      header: loadText(load),
      accessorFn: ({ cells }: DriveRow) => {
        const cell = cells[index];
        const share = cell?.exceedances.find((exceedance) => exceedance.threshold_ns === thresholdNs);
        return cell === undefined || !isTested(cell) ? (
          <CellSign state="untested" />
        ) : (
          <>
            <CellSign state={cell.state} />
            <span className={`nowrap dim fine block ${classes["share"]}`}>
              {share === undefined ? "" : shareRangeText(share, limits)}
              {cell.disagree ? <span title="Tests of this load say different things"> ≠</span> : null}
            </span>
          </>
        );
      },
      meta: {
        title: LOAD_MEANING,
        cell: (row: DriveRow) => {
          const cell = row.cells[index];
          return cell === undefined
            ? {}
            : {
                "data-phone": isTested(cell) ? undefined : "hidden",
                "data-inside": inside(row, cell.load) || undefined,
                title: joinParts([CELL_WORDS[cell.state].meaning, cell.reason], ": "),
              };
        },
      },
    })),
    {
      header: "Rating",
      accessorFn: (row) => (
        <>
          <strong>{ratingSentence(row.rating)}</strong>
          <span className="block dim">
            {joinParts([rankOf(row), costOf(row), row.visibility === "private" ? "private, yours alone" : null])}
          </span>
          <Violations row={row} />
        </>
      ),
      meta: { className: classes["rating"] },
    },
  ];
  return (
    <DataTable
      label="Loads and what is known of them, as a table"
      plain="cards"
      className={classes["ladder"]}
      columns={columns}
      rows={rows}
    />
  );
}

function Violations({ row }: { row: DriveRow }) {
  return row.rating.violations.map((text) => (
    <span key={text} className="icon-text unsure">
      <IconWarning size={14} /> {text}
    </span>
  ));
}

const rankOf = (row: DriveRow): string | null =>
  rankSentence(row.rank) ?? (row.unranked_reason === null ? null : `not ranked: ${row.unranked_reason}`);

function costOf(row: DriveRow): string | null {
  const cost = costParts(row);
  return cost === null ? null : joinParts([cost.price, cost.age, cost.per], ", ");
}

function Legend({ rows, thresholdNs, share }: Ladder) {
  const tested = rows.flatMap(({ cells }) => cells.filter(isTested));
  const shownStates = CELL_STATES.filter((state) => tested.some((cell) => cell.state === state));
  return (
    <p className="row dim small">
      {shownStates.map((state) => (
        <span key={state} className="icon-text" title={CELL_WORDS[state].meaning}>
          <CellSign state={state} silent /> {CELL_WORDS[state].word}
        </span>
      ))}
      {thresholdNs === null ? null : <span>Numbers: {share}, with their bounds.</span>}
    </p>
  );
}

const isTested = (cell: DriveRow["cells"][number]): boolean => cell.test_ids.length > 0;

/** Returns whether a load is between the first tested and the highest passed load. */
const inside = ({ rating, cells }: DriveRow, load: number): boolean =>
  rating.passed_load !== null && load <= rating.passed_load && load >= (cells.find(isTested)?.load ?? load);
