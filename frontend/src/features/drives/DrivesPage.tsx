// Leaderboard page: question, rules, conditions and matrix. Its complete state is in the address.
import { Button, Group, SegmentedControl } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useMemo, useRef, useState } from "react";
import {
  everyRow,
  everyRowAsCsv,
  type LeaderboardFilter,
  leaderboardCsvAddress,
  leaderboardQuery,
  rowsOfDrivesQuery,
} from "@/api/leaderboard";
import { serverNow } from "@/api/serverClock";
import { budgetsQuery } from "@/api/sla";
import type { Leaderboard, LeaderboardRow } from "@/api/types";
import { measureOf } from "@/entities/drive/measure";
import { driveName } from "@/entities/drive/ratings";
import { Withdrawn } from "@/entities/drive/Withdrawn";
import { fullSearch } from "@/entities/question/address";
import { FEW_READS, FEW_READS_TEXT } from "@/entities/question/question";
import { shortlistItem } from "@/entities/saved/items";
import { SaveButton } from "@/entities/saved/SaveButton";
import { Weakening } from "@/entities/verdict/VerdictBadge";
import { csvFile, saveCsv, saveFile } from "@/lib/csv";
import { plural } from "@/lib/format";
import { Failed, Loading, type Pages, QueryView } from "@/ui/states";
import { useDraft } from "@/ui/useDraft";
import { useLastNonNull } from "@/ui/useLastNonNull";
import { usePageTitle } from "@/ui/usePageTitle";
import { DEFAULT_SORT, type DrivesChange, type DrivesDraft, type DrivesSearch, type SortKey } from "./address";
import { ageText, fewDecided, NO_ANSWER, questionAndAnswer } from "./answerText";
import { Cards } from "./Cards";
import { Compare } from "./Compare";
import { Conditions } from "./Conditions";
import { shownColumns } from "./columns";
import classes from "./DrivesPage.module.css";
import { EditionLinks } from "./EditionLinks";
import { NoRows, Refused, UnreadableQuestion } from "./EmptyRows";
import { documentOf, shortCsv } from "./exports";
import { FilterSheet } from "./FilterSheet";
import { countText, showsTable } from "./filters";
import { Groups } from "./Groups";
import { countsText } from "./groups";
import { JudgementBasis } from "./JudgementBasis";
import { Legend } from "./Legend";
import { Matrix } from "./Matrix";
import { NO_BASIS, readQuestion, transactionText } from "./question";
import { MOST_PICKED, pickOf, picksOf, pickToggled, slugOf } from "./shortlist";
import { ExportActions, Toolbar } from "./Toolbar";

const NOTHING: LeaderboardFilter = {};

export function DrivesPage({ view, onView }: { view: DrivesSearch; onView: (change: DrivesChange) => void }) {
  usePageTitle("Drives");
  const draft = useDraft(view, onView);
  const [filters, setFilters] = useState(false);
  const narrow = useMediaQuery("(max-width: 800px)", false, { getInitialValueInEffect: false });
  const budgets = useQuery(budgetsQuery());
  const state = useMemo(() => readQuestion(view), [view]);
  const filter = useLastNonNull(state.query);
  const broken = state.query === null;
  const rows = useInfiniteQuery({ ...leaderboardQuery(filter ?? NOTHING), enabled: filter !== null });
  const pages = rows.data?.pages;
  const answer = pages?.[0];
  const loaded = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  const few = fewDecided(loaded);
  const table = showsTable(draft.shown);
  const age = ageText(loaded, new Date(serverNow()).getFullYear());
  const questionText = ({ question, rule_set }: Leaderboard): string =>
    state.transaction === null ? (question?.title ?? rule_set.question) : `${transactionText(state.transaction)}.`;
  const lead = questionAndAnswer(answer, loaded, view, state);
  const count = answer === undefined ? "" : countText(answer.total, answer.total_unfiltered);

  const save = async (name: string, read: (query: LeaderboardFilter) => Promise<Blob>) => {
    if (filter !== null) saveFile(name, await read(filter));
  };

  return (
    <div className={`stack-12 ${classes["page"]}`}>
      <Group justify="space-between" align="start" gap="8px 24px">
        <div className={classes["answer"]}>
          <p className="measure muted">{lead.question}</p>
          <h1 {...(lead.answer === null ? {} : { className: "answer-title", "data-answer": true })}>
            {lead.answer === null ? (
              NO_ANSWER
            ) : (
              <>
                {lead.answer.before}
                <span style={{ color: "var(--pass-ink)", whiteSpace: "nowrap" }}>{lead.answer.key}</span>
                {lead.answer.after}
              </>
            )}
          </h1>
          {loaded.length === 0 || table || answer?.tests_waiting !== 0 ? null : (
            <p className="wrap small">
              <span>{countsText(loaded)}</span>
              {age === null ? null : <Weakening text={age} />}
            </p>
          )}
          {lead.answer?.reason == null ? null : <p className="measure muted">{lead.answer.reason}</p>}
          {state.transaction !== null && few !== null ? (
            <p>
              <strong>{few}</strong> Published tests print the share of slow reads. A transaction also depends on how
              slow the slowest are.{" "}
              <Button className="no-print" size="compact-sm" onClick={() => draft.choose({ ...NO_BASIS })}>
                Show what each drive holds
              </Button>{" "}
              <Link to="/drives" search={fullSearch(FEW_READS)} className="no-print">
                Ask about {FEW_READS_TEXT}
              </Link>
            </p>
          ) : null}
          <p className="dim no-print">
            Costs come from <Link to="/prices">prices</Link>, your own first.
          </p>
        </div>
        <ExportActions
          address={filter === null ? null : leaderboardCsvAddress(filter)}
          onShortCsv={async () => {
            const all = await everyRow(filter ?? NOTHING);
            const { limits } = measureOf(all);
            saveCsv("drives-short.csv", shortCsv({ rows: all.rows, question: questionText(all), limits }));
          }}
          onCsv={() => save("drives.csv", async (all) => csvFile(await everyRowAsCsv(all)))}
          onJson={() => save("drives.json", async (all) => new Blob([documentOf(await everyRow(all))]))}
        />
      </Group>
      <JudgementBasis draft={draft} state={state} budgets={budgets.data?.items ?? []} answer={answer} />
      <Toolbar draft={draft} narrow={narrow} count={count} onFilters={() => setFilters(true)}>
        <SegmentedControl
          aria-label="View"
          value={table ? "table" : "groups"}
          data={[
            { value: "groups", label: "all drives" },
            { value: "table", label: "one table" },
          ]}
          onChange={(view) =>
            draft.choose(
              view === "table"
                ? { view: "table" }
                : {
                    view: undefined,
                    equal: undefined,
                    sort: undefined,
                    metric: undefined,
                    op: undefined,
                    generation: undefined,
                  },
            )
          }
        />
      </Toolbar>
      {answer === undefined || !table ? null : <Conditions draft={draft} answer={answer} />}
      {broken && filter !== null ? (
        <p role="status" className="caution notice">
          The rows below answer the question before. Correct the marked field, and they follow by themselves.
        </p>
      ) : null}
      {answer === undefined || answer.tests_waiting === 0 ? null : (
        <p role="status" className="caution notice">
          {plural(answer.tests_waiting, "test")} not judged yet: the rows follow by themselves, and may change places.
        </p>
      )}
      {view.compare === undefined || answer === undefined ? null : (
        <div className={classes["sheet"]}>
          <Shortlist
            draft={draft}
            filter={filter ?? NOTHING}
            answer={answer}
            loaded={loaded}
            question={questionText(answer)}
          />
        </div>
      )}
      {filter === null ? (
        <UnreadableQuestion />
      ) : answer === undefined ? (
        rows.error === null ? (
          <Loading what="the drives" lines={10} height={40} />
        ) : (
          <Refused error={rows.error} onRetry={() => void rows.refetch()} onChoose={draft.choose} />
        )
      ) : loaded.length === 0 ? (
        <NoRows draft={draft} answer={answer} />
      ) : (
        <div
          className="stack-12"
          data-outdated={broken ? "broken" : draft.pending || rows.isPlaceholderData || undefined}
          aria-busy={rows.isFetching}
        >
          <Rows draft={draft} answer={answer} rows={loaded} narrow={narrow} pages={rows} />
          {rows.isFetchNextPageError ? (
            <Failed error={rows.error} what="Further rows" onRetry={() => void rows.fetchNextPage()} />
          ) : null}
          {table ? <Legend /> : null}
          {answer.notes.length === 0 ? null : (
            <ul className="dim smaller bullets" aria-label="Notes">
              {answer.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
        </div>
      )}
      <Withdrawn tests={answer?.withdrawn ?? []} />
      <EditionLinks />
      <ShortlistBar draft={draft} loaded={loaded} />
      <FilterSheet
        opened={filters}
        onClose={() => setFilters(false)}
        draft={draft}
        problems={state.problems}
        answer={answer}
        count={count}
      />
    </div>
  );
}

type RowsProps = {
  draft: DrivesDraft;
  answer: Leaderboard;
  rows: readonly LeaderboardRow[];
  narrow: boolean;
  pages: Pages;
};

function Rows({ draft, answer, rows, narrow, pages }: RowsProps) {
  const { shown, choose } = draft;
  const picks = picksOf(shown);
  const chosen = useMemo(() => shownColumns({ columns: shown.columns } as DrivesSearch, rows), [shown.columns, rows]);
  const measure = useMemo(() => measureOf(answer), [answer]);
  const { fetchNextPage } = pages;
  const onMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  // A stable callback, so that a pick redraws one row and not all.
  const pick = useRef(shown.pick);
  pick.current = shown.pick;
  const onPick = useCallback(
    (picked: string) => choose({ pick: pickToggled({ pick: pick.current } as DrivesSearch, picked) }),
    [choose],
  );
  const onCompare = useCallback(() => openComparison(choose), [choose]);
  const onSort = useCallback((sort: SortKey) => choose({ sort: sort === DEFAULT_SORT ? undefined : sort }), [choose]);
  const shared = {
    rows,
    picks,
    full: picks.length >= MOST_PICKED,
    mixed: answer.conditions === null,
    onPick,
    measure,
  };
  if (!showsTable(shown)) return <Groups {...shared} pages={pages} loads={answer.loads} onCompare={onCompare} />;
  if (narrow) return <Cards {...shared} pages={pages} />;
  return (
    <Matrix
      {...shared}
      total={answer.total}
      loads={answer.loads}
      chosen={chosen}
      sort={shown.sort ?? DEFAULT_SORT}
      onMore={pages.hasNextPage && !pages.isFetchingNextPage ? onMore : null}
      onSort={onSort}
    />
  );
}

/** Opens the comparison, which is above the drives. */
function openComparison(choose: DrivesDraft["choose"]): void {
  choose({ compare: "open" });
  window.scrollTo({ top: 0 });
}

const TRAY = {
  position: "sticky",
  bottom: 12,
  zIndex: 3,
  padding: "8px 16px",
  background: "var(--canvas)",
  border: "1px solid var(--axis)",
  borderRadius: "var(--r12)",
  boxShadow: "0 4px 16px rgb(0 0 0 / 18%)",
} as const;

/** Shows the shortlist at any scroll position; null if it is empty. */
function ShortlistBar({ draft, loaded }: { draft: DrivesDraft; loaded: readonly LeaderboardRow[] }) {
  const { shown, choose } = draft;
  const picks = picksOf(shown);
  if (picks.length === 0) return null;
  const opened = shown.compare !== undefined;
  const nameOf = (pick: string): string => {
    const row = loaded.find((candidate) => pickOf(candidate) === pick);
    return row === undefined ? slugOf(pick) : driveName(row.drive);
  };
  return (
    <section className="row self-center no-print" style={TRAY} aria-label="Shortlist">
      <strong>{plural(picks.length, "drive")}</strong>
      <Button
        variant={opened ? "default" : "filled"}
        size="xs"
        onClick={() => (opened ? choose({ compare: undefined }) : openComparison(choose))}
        aria-expanded={opened}
      >
        {opened ? "Hide the comparison" : `Compare ${picks.length}`}
      </Button>
      {shown.pick === undefined ? null : (
        <SaveButton item={shortlistItem(shown.pick, picks.map(nameOf))} what="the shortlist" />
      )}
      <Button variant="subtle" size="xs" color="gray" onClick={() => choose({ pick: undefined, compare: undefined })}>
        Clear the shortlist
      </Button>
    </section>
  );
}

type ShortlistProps = {
  draft: DrivesDraft;
  filter: LeaderboardFilter;
  answer: Leaderboard;
  loaded: readonly LeaderboardRow[];
  question: string;
};

/** Compares the picked rows, and fetches those that filters or conditions hide. */
function Shortlist({ draft, filter, answer, loaded, question }: ShortlistProps) {
  const { shown, choose } = draft;
  const picks = picksOf(shown);
  const missing = picks.filter((pick) => !loaded.some((row) => pickOf(row) === pick));
  const slugs = [...new Set(picks.map(slugOf))];
  const rowsQuery = useQuery({ ...rowsOfDrivesQuery(withoutFilters(filter), slugs), enabled: missing.length > 0 });
  if (picks.length === 0) return null;
  if (missing.length > 0 && rowsQuery.data === undefined)
    return <QueryView query={rowsQuery} what="the shortlist" lines={4} height={32} />;
  // Loads are columns by position, so all rows have to come from the same response.
  const source = missing.length > 0 ? rowsQuery.data : answer;
  const all = missing.length > 0 ? (rowsQuery.data?.rows ?? []) : loaded;
  const rows = picks.map((pick) => all.find((row) => pickOf(row) === pick)).filter((row) => row !== undefined);
  return (
    <Compare
      question={question}
      rows={rows}
      loads={source?.loads ?? []}
      measure={measureOf(answer)}
      onlyDifferences={shown.compare === "differences"}
      onOnlyDifferences={(only) => choose({ compare: only ? "differences" : "open" })}
      onRemove={(pick) => choose({ pick: pickToggled(shown, pick) })}
      onClose={() => choose({ compare: undefined })}
    />
  );
}

/** Parameters of the question; the others of a query filter its rows. */
const QUESTION_KEYS: ReadonlySet<string> = new Set<keyof LeaderboardFilter>([
  ...(["rule_set", "limits", "budget", "reads", "scheduling"] as const),
  ...(["fan_out", "window_ns", "reserve_ns", "objective_ratio"] as const),
]);

const withoutFilters = (filter: LeaderboardFilter): LeaderboardFilter =>
  Object.fromEntries(Object.entries(filter).filter(([key, value]) => QUESTION_KEYS.has(key) && value !== undefined));
