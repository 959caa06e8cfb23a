// Which configurations, measured here or published by others, meet the question, which miss it, and which cannot be judged.
import { Button, SegmentedControl, Switch } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { refusesQuestion } from "@/api/problem";
import { matchQuery } from "@/api/sla";
import type { BudgetChoice, MatchItem } from "@/api/types";
import { briefAnswer, roomOf } from "@/entities/verdict/answer";
import { largestText } from "@/entities/verdict/largest";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { VerdictSign } from "@/entities/verdict/VerdictSign";
import { saveFile, toCsv } from "@/lib/csv";
import { exactPercent, formatInteger } from "@/lib/format";
import { ratio } from "@/lib/units";
import { plural, sentence } from "@/lib/words";
import { CsvButton } from "@/ui/CsvButton";
import { IconDown, IconSort, IconUp } from "@/ui/icons";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Failed, Loading } from "@/ui/states";
import { Unknown, Value } from "@/ui/Value";
import type { Group, SlaChange, SlaSearch, SortField, SortKey } from "./address";
import classes from "./Configurations.module.css";
import { csvOf, GROUP_OF, shareOf, sortItems } from "./matches";
import { shareInterval } from "./shares";
import { recordText, roomText } from "./wording";

type ConfigurationsProps = {
  /** Null while the answer itself is still awaited. */
  budget: BudgetChoice | null;
  /** The answers shown are to an earlier question. */
  outdated: boolean;
  search: SlaSearch;
  onChoose: (change: SlaChange) => void;
};

const NO_BUDGET: BudgetChoice = {};

export function Configurations({ budget, outdated, search, onChoose }: ConfigurationsProps) {
  const titleId = useId();
  const matches = useInfiniteQuery({
    ...matchQuery(budget ?? NO_BUDGET, search.claims !== "hidden"),
    enabled: budget !== null,
  });
  const narrow = useMediaQuery("(max-width: 960px)", false, { getInitialValueInEffect: false });
  const pages = matches.data?.pages;
  const counts = pages?.[0]?.counts;
  const loaded = pages?.flatMap((page) => page.items) ?? [];
  const shown = sortItems(
    loaded.filter((item) => search.show === undefined || GROUP_OF[item.verdict] === search.show),
    search.sort,
  );
  const total = counts === undefined ? 0 : counts.meets + counts.misses + counts.undecided;
  const document = pages?.[0]?.budget.document;
  const window = document?.kind === "transaction" ? document : null;
  const notLookedAt = pages?.at(-1)?.not_looked_at ?? 0;
  const use = (item: MatchItem) =>
    onChoose({
      run: item.subject.run_id ?? undefined,
      from: undefined,
      op: item.subject.operation ?? undefined,
      clock: item.subject.clock ?? undefined,
    });
  const save = () => {
    const { header, rows } = csvOf(shown);
    saveFile("configurations.csv", new Blob([toCsv(header, rows)], { type: "text/csv;charset=utf-8" }));
  };

  return (
    <section className={`${classes["configurations"]} panel`} aria-labelledby={titleId}>
      <div className={classes["head"]}>
        <h2 id={titleId}>Which configurations meet it</h2>
        {loaded.length === 0 ? null : <CsvButton onSave={save} />}
      </div>
      <Switch
        className="no-print"
        size="xs"
        label="also what others have published"
        checked={search.claims !== "hidden"}
        onChange={({ currentTarget }) => onChoose({ claims: currentTarget.checked ? undefined : "hidden" })}
      />
      {counts === undefined ? (
        matches.error === null ? (
          <Loading what="the configurations" lines={4} height={32} />
        ) : refusesQuestion(matches.error) ? (
          <p className="dim">The question cannot be asked; see above.</p>
        ) : (
          <Failed error={matches.error} what="The configurations" onRetry={() => void matches.refetch()} />
        )
      ) : total === 0 ? (
        <p>
          No configuration has been measured or published yet. <Link to="/">Measure this machine</Link> and it is judged
          here.
        </p>
      ) : (
        <div data-outdated={outdated || matches.isPlaceholderData || undefined} className={classes["body"]}>
          {matches.error === null || refusesQuestion(matches.error) ? null : (
            <Failed error={matches.error} what="The configurations" onRetry={() => void matches.refetch()} />
          )}
          <SegmentedControl
            className={classes["groups"]}
            size="xs"
            orientation={narrow ? "vertical" : "horizontal"}
            aria-label="Which of them"
            value={search.show ?? "all"}
            data={[
              { value: "all", label: `all (${total})` },
              { value: "meets", label: `meets it (${counts.meets})` },
              { value: "undecided", label: `cannot be judged (${counts.undecided})` },
              { value: "misses", label: `misses it (${counts.misses})` },
            ]}
            onChange={(value) => onChoose({ show: value === "all" ? undefined : (value as Group) })}
          />
          {shown.length === 0 ? (
            <p className="dim">{EMPTY[search.show ?? "meets"]}</p>
          ) : narrow ? (
            <Cards items={shown} window={window} onUse={use} />
          ) : (
            <Table items={shown} window={window} sort={search.sort} onSort={(sort) => onChoose({ sort })} onUse={use} />
          )}
          {matches.hasNextPage ? (
            <Button
              className={classes["next"]}
              variant="default"
              loading={matches.isFetchingNextPage}
              onClick={() => void matches.fetchNextPage()}
            >
              Show more: {formatInteger(loaded.length)} of {formatInteger(total)} are here
            </Button>
          ) : null}
          {search.sort !== undefined && matches.hasNextPage ? (
            <p className="dim">The order covers the {formatInteger(loaded.length)} that are here.</p>
          ) : null}
          {notLookedAt === 0 ? null : (
            <p className="dim">Not judged so far: {plural(notLookedAt, "older configuration")}.</p>
          )}
        </div>
      )}
    </section>
  );
}

const EMPTY: Record<Group, string> = {
  meets: "None of these meets it for certain.",
  undecided: "All could be judged.",
  misses: "None misses it for certain.",
};

const COLUMNS: readonly { field: SortField | null; label: string; right?: boolean; firstDescending?: boolean }[] = [
  { field: "name", label: "Configuration" },
  { field: null, label: "Answer" },
  { field: "room", label: "Room left", firstDescending: true },
  { field: "share", label: "In time", right: true, firstDescending: true },
  { field: "largest", label: "Reads that fit", right: true, firstDescending: true },
];

type RowsProps = {
  items: readonly MatchItem[];
  /** Null where no transaction is asked about. */
  window: Window | null;
  onUse: (item: MatchItem) => void;
};

type Window = { readonly window_ns: number; readonly reserve_ns: number };

type TableProps = RowsProps & { sort: SortKey | undefined; onSort: (sort: SortKey) => void };

function Table({ items, window, sort, onSort, onUse }: TableProps) {
  const columns = COLUMNS.filter(({ field }) => window !== null || field !== "room");
  return (
    <ScrollRegion label="Configurations, as a table">
      <table className="data">
        <thead>
          <tr>
            {columns.map(({ field, label, right, firstDescending }) => {
              if (field === null)
                return (
                  <th key={label} scope="col">
                    {label}
                  </th>
                );
              const ascending = sort === field;
              const descending = sort === `-${field}`;
              const next: SortKey = ascending || (!descending && firstDescending) ? `-${field}` : field;
              const Sign = ascending ? IconUp : descending ? IconDown : IconSort;
              return (
                <th
                  key={field}
                  scope="col"
                  className={right ? "right" : undefined}
                  aria-sort={ascending ? "ascending" : descending ? "descending" : "none"}
                >
                  <button type="button" className={classes["sort"]} onClick={() => onSort(next)}>
                    {label}
                    <Sign size={12} />
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              <td className={classes["name"]}>
                <Name item={item} />
              </td>
              <td className={classes["answer"]}>
                <Brief item={item} window={window} onUse={onUse} />
              </td>
              {window === null ? null : (
                <td className={classes["room"]}>
                  <Room item={item} window={window} />
                </td>
              )}
              <td className={`right ${classes["figure"]}`}>
                <Share item={item} />
              </td>
              <td className={`right ${classes["figure"]}`}>
                {largestText(item) ?? <Unknown reason={item.reason_text ?? "the record does not decide it"} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Cards({ items, window, onUse }: RowsProps) {
  return (
    <ul className={classes["cards"]}>
      {items.map((item) => (
        <li key={keyOf(item)}>
          <Name item={item} />
          {window === null ? null : <Room item={item} window={window} />}
          <Brief item={item} window={window} onUse={onUse} />
        </li>
      ))}
    </ul>
  );
}

/** The sign, the answer in a few words, what would decide it; the whole reason folds away. */
function Brief({ item, window, onUse }: { item: MatchItem } & Omit<RowsProps, "items">) {
  const room = window === null ? null : roomOf(item.verdict, { ...window, ...item });
  const way = item.meter?.ways[0];
  return (
    <div className={classes["brief"]}>
      <VerdictSign verdict={item.verdict} provisional={item.subject.provisional} />
      <strong>{sentence(briefAnswer(room, item.verdict, item.meter ?? null, badgeReason(item)))}</strong>
      {way === undefined ? null : <span className="dim">Would decide it: {way.text}.</span>}
      <div className={classes["more"]}>
        <Why item={item} />
        <Use item={item} onUse={onUse} />
      </div>
    </div>
  );
}

function Room({ item, window }: { item: MatchItem; window: Window }) {
  const text = roomText(item);
  return (
    <div className={classes["bar"]}>
      <RoomBar room={roomOf(item.verdict, { ...window, ...item })} />
      <span className="dim">{text ?? <Unknown reason={item.reason_text ?? "the record does not decide it"} />}</span>
    </div>
  );
}

/** A document has no buckets that could be too coarse; what its figures allow stands below. */
const badgeReason = ({ subject, reason }: MatchItem): MatchItem["reason"] =>
  subject.source === "publication" && reason === "resolution" ? null : reason;

const keyOf = ({ subject }: MatchItem): string =>
  `${subject.run_id ?? `${subject.label} ${subject.publication_row ?? ""}`} ${subject.operation ?? ""} ${subject.clock ?? ""}`;

function Name({ item: { subject } }: { item: MatchItem }) {
  if (subject.publication_slug != null) return <PublishedName subject={subject} slug={subject.publication_slug} />;
  const host = subject.host_name == null || subject.label.includes(subject.host_name) ? "" : `${subject.host_name} · `;
  return (
    <div>
      {subject.run_id == null ? (
        <strong>{subject.label}</strong>
      ) : (
        <Link to="/runs/$runId" params={{ runId: subject.run_id }} className={classes["link"]} preload="intent">
          {subject.label}
        </Link>
      )}
      <div className="dim">
        {host}
        {recordText(subject)}
        {subject.closed_loop ? " · closed loop" : ""}
      </div>
    </div>
  );
}

/** Figures that somebody has published: marked as claims; the link leads to the document, and the reason names it. */
function PublishedName({ subject, slug }: { subject: MatchItem["subject"]; slug: string }) {
  return (
    <div>
      <Link
        to="/publications/$slug"
        params={{ slug }}
        {...(subject.publication_row == null ? {} : { hash: subject.publication_row })}
        className={classes["link"]}
        preload="intent"
      >
        {subject.label}
      </Link>
      <div className="dim">
        <span className={classes["claim"]}>published claim</span>
        {subject.closed_loop ? " closed loop" : ""}
      </div>
    </div>
  );
}

function Why({ item }: { item: MatchItem }) {
  const { subject, reason_text: reason, decided_by: decidedBy } = item;
  return (
    <details className={classes["why"]}>
      <summary>Why</summary>
      {reason === null ? null : <p>{sentence(reason)}.</p>}
      {decidedBy === null ? null : <p>Would be decided by: {decidedBy}.</p>}
      {subject.publication_title == null ? null : <p>Published in: {subject.publication_title}.</p>}
      {subject.note == null ? null : <p>{subject.note}</p>}
    </details>
  );
}

function Share({ item }: { item: MatchItem }) {
  const { lower, upper } = shareOf(item);
  if (lower === null || upper === null) return <Unknown reason={item.reason_text ?? "the record does not say"} />;
  return (
    <Value
      text={shareInterval(lower, upper)}
      exact={`at least ${exactPercent(ratio(lower))}, at most ${exactPercent(ratio(upper))}`}
    />
  );
}

function Use({ item, onUse }: { item: MatchItem; onUse: (item: MatchItem) => void }) {
  if (item.subject.run_id == null) return null;
  return (
    <Button
      className="no-print"
      size="compact-xs"
      variant="default"
      aria-label={`Use as subject: ${item.subject.label}`}
      onClick={() => onUse(item)}
    >
      Use as subject
    </Button>
  );
}
