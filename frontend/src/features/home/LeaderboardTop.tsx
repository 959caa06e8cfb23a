// First rows of the leaderboard under named conditions, with rank ranges.
import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { leaderboardTopQuery } from "@/api/leaderboard";
import type { LeaderboardRow } from "@/api/types";
import { Rank } from "@/entities/drive/Rank";
import { driveName, formatCapacity, loadText, ratingMeaning, ratingText, rowName } from "@/entities/drive/ratings";
import type { Asked } from "@/entities/question/readerQuestion";
import { sentence } from "@/lib/format";
import { type Columns, DataTable } from "@/ui/DataTable";
import { DriveLink } from "@/ui/links";
import { Unknown } from "@/ui/Value";

const ROWS = 4;

const COLUMNS: Columns<LeaderboardRow> = [
  {
    header: "Drive",
    accessorFn: ({ drive, capacity_bytes }) => (
      <>
        <DriveLink slug={drive.slug} className="strong" preload="intent">
          {driveName(drive)}
        </DriveLink>{" "}
        <span className="dim">{capacity_bytes === null ? "" : formatCapacity(capacity_bytes)}</span>
      </>
    ),
  },
  {
    header: "Rating",
    accessorFn: ({ rating }) =>
      ratingText(rating) ?? <Unknown reason="no test of it decides anything under these rules" />,
    meta: { cell: ({ rating }) => ({ title: ratingMeaning(rating) }) },
  },
];
const RANK: Columns<LeaderboardRow>[number] = { header: "Rank", accessorFn: (row) => <Rank row={row} /> };

export function LeaderboardTop({ question }: { question: Asked | null }) {
  const top = useQuery(leaderboardTopQuery(ROWS, question?.leaderboard));
  const rows = top.data?.rows ?? [];
  // Without rows the section is left out; the leaderboard itself explains why.
  if (rows.length === 0) return null;
  const conditions = top.data?.conditions;
  // If all rows tie, one sentence replaces equal rank ranges in every row.
  const allTie = rows.every((row) => row.rank !== null && row.rank.best === 1 && row.rank.worst === row.rank.among);
  return (
    <section aria-label="Which drive holds which load" className="stack-8">
      <Group justify="space-between" align="baseline" wrap="nowrap" gap={0}>
        <h2>{titleOf(rows)}</h2>
        <Link to="/drives">All drives</Link>
      </Group>
      <DataTable label="Drives that may be first" plain columns={allTie ? COLUMNS : [...COLUMNS, RANK]} rows={rows} />
      <p className="dim">
        {question === null ? top.data?.rule_set.title : "Judged by my question"}, in the largest group of equal
        conditions; the page of drives has every group. {conditions == null ? "" : `${sentence(conditions.text)}. `}
        {allTie
          ? `The tests cannot separate ${conditions == null ? "them" : `these ${conditions.rows}`}: highest load tested first.`
          : "Ranks that overlap are ties."}
      </p>
    </section>
  );
}

/** Highest number of drives named in the heading. */
const MOST_NAMED = 2;

/** Returns the heading: `Intel DC P4610 1.6 TB held the most: 100x`. */
function titleOf(rows: readonly LeaderboardRow[]): string {
  const most = Math.max(0, ...rows.map(({ rating }) => rating.passed_load ?? 0));
  const leading = rows.filter(({ rating }) => rating.passed_load === most);
  return most === 0 || leading.length > MOST_NAMED
    ? "Which drive holds which load"
    : `${leading.map(rowName).join(" and ")} held the most: ${loadText(most)}`;
}
