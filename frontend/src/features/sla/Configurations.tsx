// Results of the question for all stored subjects, grouped by verdict and strength, undecided subjects by the missing
// evidence.
import { SegmentedControl } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { refusesQuestion } from "@/api/problem";
import { matchQuery } from "@/api/sla";
import type { BudgetChoice, MatchCounts, MatchItem, SubjectKind, TransactionDocument } from "@/api/types";
import { roomOf, roomSource, usedText } from "@/entities/verdict/answer";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { VerdictBadge, VerdictMark, Weakening } from "@/entities/verdict/VerdictBadge";
import type { Judged } from "@/entities/verdict/words";
import { saveCsv } from "@/lib/csv";
import { formatExactLatency, formatInteger, joinParts, plural, sentence, unbroken } from "@/lib/format";
import { shareText } from "@/lib/shares";
import { CsvButton } from "@/ui/CsvButton";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { PublicationLink, RunLink } from "@/ui/links";
import { Failed, Loading, MoreButton } from "@/ui/states";
import { Unknown } from "@/ui/Value";
import type { SlaChange, SlaSearch } from "./address";
import { type Costs, costOf, csvOf, groupsOf, type Undecided } from "./matches";
import { RecordCost } from "./RecordCost";
import { recordText } from "./wording";

type ConfigurationsProps = {
  /** Judged budget; null while the answer is pending. */
  budget: BudgetChoice | null;
  /** Whether the shown results belong to an earlier question. */
  outdated: boolean;
  search: SlaSearch;
  onChoose: (change: SlaChange) => void;
};

const NO_BUDGET: BudgetChoice = {};

/** Label and subject kinds of each list filter, by its value in the address. */
const KINDS: Record<"all" | NonNullable<SlaSearch["claims"]>, { label: string; kinds: SubjectKind[] | null }> = {
  all: { label: "All", kinds: null },
  drives: { label: "Drives", kinds: ["drive_test"] },
  servers: { label: "Servers", kinds: ["publication"] },
  hidden: { label: "My runs", kinds: ["run", "upload", "campaign"] },
};

const countOf = (counts: MatchCounts["kinds"], kinds: SubjectKind[] | null): number =>
  Object.entries(counts)
    .filter(([kind]) => kinds === null || kinds.some((each) => each === kind))
    .reduce((sum, [, count]) => sum + count, 0);

export function Configurations({ budget, outdated, search, onChoose }: ConfigurationsProps) {
  const titleId = useId();
  const matches = useInfiniteQuery({
    ...matchQuery(budget ?? NO_BUDGET, KINDS[search.claims ?? "all"].kinds),
    enabled: budget !== null,
  });
  const pages = matches.data?.pages;
  const first = pages?.[0];
  const items = pages?.flatMap((page) => page.items) ?? [];
  const costs: Costs = Object.assign({}, ...(pages?.map((page) => page.costs) ?? []));
  const notLookedAt = first?.not_looked_at ?? 0;
  const save = () => {
    const document = first?.budget.document;
    saveCsv("what-meets-it.csv", csvOf(items, costs, document?.question || document?.title || ""));
  };

  return (
    <section className="stack-8" aria-labelledby={titleId}>
      <div className="row between">
        <h2 id={titleId}>What meets it?</h2>
        <div className="row between no-print" style={{ maxWidth: "100%", overflowX: "auto" }}>
          <SegmentedControl
            size="xs"
            aria-label="Which records"
            value={search.claims ?? "all"}
            data={Object.entries(KINDS).map(([value, { label, kinds }]) => ({
              value,
              label: first === undefined ? label : `${label} ${formatInteger(countOf(first.counts.kinds, kinds))}`,
            }))}
            onChange={(value) =>
              onChoose({ claims: value === "all" ? undefined : (value as keyof typeof KINDS & "hidden") })
            }
          />
          {items.length === 0 ? null : <CsvButton onSave={save} />}
        </div>
      </div>
      {first === undefined ? (
        matches.error === null ? (
          <Loading what="what meets it" lines={4} height={40} />
        ) : refusesQuestion(matches.error) ? (
          <p className="dim">The question cannot be asked; see above.</p>
        ) : (
          <Failed error={matches.error} what="What meets it" onRetry={() => void matches.refetch()} />
        )
      ) : items.length === 0 ? (
        <p>
          Nothing has been measured or published yet. <Link to="/">Measure this machine</Link> and it is judged here.
        </p>
      ) : (
        <div data-outdated={outdated || matches.isPlaceholderData || undefined} className="stack-8">
          {matches.error === null || refusesQuestion(matches.error) ? null : (
            <Failed error={matches.error} what="What meets it" onRetry={() => void matches.refetch()} />
          )}
          <List
            items={items}
            costs={costs}
            counts={first.counts}
            transaction={first.budget.document.kind === "transaction" ? first.budget.document : null}
            onUse={({ subject }) =>
              onChoose({
                run: subject.run_id ?? undefined,
                from: undefined,
                op: subject.operation ?? undefined,
                clock: subject.clock ?? undefined,
              })
            }
          />
          <MoreButton pages={matches} className="self-center">
            Show more than these {formatInteger(items.length)}
          </MoreButton>
          {notLookedAt === 0 ? null : (
            <p className="dim">Not judged so far: {plural(notLookedAt, "older configuration")}.</p>
          )}
        </div>
      )}
    </section>
  );
}

type ListProps = {
  items: readonly MatchItem[];
  costs: Costs;
  /** Counts over all judged subjects, not only over the loaded part of the list. */
  counts: MatchCounts;
  /** Transaction of the question; null for other questions. */
  transaction: TransactionDocument | null;
  onUse: (item: MatchItem) => void;
};

/** Returns the counts as a sentence: `1 proves it, 12 kept it while tested, 4 are too slow, 3 are undecided.` */
function summaryOf(proven: number, observed: number, tooSlow: number, undecided: number): string {
  const parts = [
    proven === 0 ? null : `${formatInteger(proven)} ${proven === 1 ? "proves" : "prove"} it`,
    observed === 0 ? null : `${formatInteger(observed)} kept it while tested`,
    tooSlow === 0 ? null : `${formatInteger(tooSlow)} ${tooSlow === 1 ? "is" : "are"} too slow`,
    undecided === 0 ? null : `${formatInteger(undecided)} ${undecided === 1 ? "is" : "are"} undecided`,
  ].filter((part) => part !== null);
  return `${sentence(parts.join(", "))}.`;
}

/** Groups of decided subjects, each with the name of its number in the counts. */
const DECIDED = [
  {
    key: "proven",
    total: "proven",
    name: "Proven",
    about: "would keep it again, with 95\u00a0% confidence",
    verdict: "PASS",
  },
  {
    key: "observed",
    total: "observed",
    name: "In their run or test",
    about: "kept it while measured; the next run is not proven",
    verdict: "PASS",
  },
  { key: "tooSlow", total: "misses", name: "Too slow", about: "missed it", verdict: "FAIL" },
] as const;

function List({ items, costs, counts, transaction, onUse }: ListProps) {
  const groups = groupsOf(items);
  const { undecided } = groups;
  const lines = DECIDED.flatMap((group) => groups[group.key].map((item): Line => ({ group, item })));
  return (
    <>
      <p>{summaryOf(counts.proven, counts.observed, counts.misses, counts.undecided)}</p>
      {lines.length === 0 ? null : (
        <DataTable
          label="What meets it, and what is too slow"
          columns={columnsOf(transaction, costs, onUse)}
          rows={lines}
          rowId={({ item }) => keyOf(item)}
          rowAttributes={({ item: { reason_text } }) => ({
            title: reason_text === null ? undefined : sentence(unbroken(reason_text)),
          })}
          groupOf={({ group }) => group.key}
          headingOf={({ group: { key, total, verdict, ...texts } }) => (
            <GroupTitle
              {...texts}
              of={{ verdict, strength: key === "proven" ? key : "observed" }}
              count={counts[total]}
            />
          )}
        />
      )}
      {undecided.length === 0 ? null : (
        <section style={{ paddingTop: 12 }}>
          <GroupTitle
            name="Undecided"
            about="by what would decide it"
            of={{ verdict: "INDETERMINATE" }}
            count={counts.undecided}
          />
          <ul className="plain-list ruled" aria-label="Undecided">
            {undecided.map((group) => (
              <UndecidedRow key={`${group.why} ${group.way ?? ""}`} group={group} onUse={onUse} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

type GroupTitleProps = { name: string; about: string; of: Judged; count: number };

const GroupTitle = ({ name, about, of, count }: GroupTitleProps) => (
  <h3 className="row">
    <VerdictMark of={of} /> {name} <span className="dim">{formatInteger(count)}</span>{" "}
    <span className="muted small" style={{ fontWeight: 400 }}>
      {about}
    </span>
  </h3>
);

type Line = { group: (typeof DECIDED)[number]; item: MatchItem };

const columnsOf = (transaction: TransactionDocument | null, costs: Costs, onUse: ListProps["onUse"]): Columns<Line> => [
  {
    header: "Record",
    accessorFn: ({ item }) => (
      <div style={{ display: "flex", gap: 10 }}>
        <VerdictBadge
          of={{ ...item, provisional: item.subject.provisional }}
          scope={item.subject.source === "publication" ? "test" : "run"}
          bare
        />
        <div>
          <Name item={item} /> <Use item={item} onUse={onUse} />
          <div className="wrap dim">
            {factsOf(item)}
            {item.subject.closed_loop ? <Weakening text="closed loop" /> : null}
          </div>
        </div>
      </div>
    ),
    meta: { isRowHeader: true, width: "42%" },
  },
  ...(transaction === null
    ? []
    : [
        {
          id: "time",
          header: `Reads take, of ${formatExactLatency(transaction.window_ns - (transaction.reserve_ns ?? 0))}`,
          accessorFn: ({ item }: Line) => <TimeUsed item={item} transaction={transaction} />,
          meta: { onPhone: "wide" } as const,
        },
      ]),
  {
    header: `${transaction === null ? "Share" : "In time"}${Object.keys(costs).length === 0 ? "" : ", cost"}`,
    accessorFn: ({ item }) => <ShareAndCost item={item} cost={costOf(item, costs)} />,
    meta: { ...RIGHT, width: "18%" },
  },
];

function TimeUsed({ item, transaction }: { item: MatchItem; transaction: TransactionDocument }) {
  const room = roomOf(item.verdict, roomSource(item, transaction));
  if (room.usedLowerNs === null) return null;
  return (
    <div className="row">
      <div style={{ flex: "1 1 120px" }}>
        <RoomBar room={room} />
      </div>
      <span style={{ minWidth: "9ch" }}>{usedText(room)}</span>
    </div>
  );
}

function ShareAndCost({ item, cost }: { item: MatchItem; cost: Costs[string] | undefined }) {
  const { subject, headline } = item;
  return (
    <>
      {headline?.lower == null || headline.upper === null || headline.unit !== "ratio" ? (
        <Unknown reason={item.reason_text ?? "the record does not say"} />
      ) : (
        shareText(headline.lower, headline.upper, { limit: headline.asked, counted: headline.basis !== "model" })
      )}
      {cost === undefined ? null : (
        <div>
          <RecordCost cost={cost} of={subject.label} />
        </div>
      )}
    </>
  );
}

function UndecidedRow({ group, onUse }: { group: Undecided; onUse: ListProps["onUse"] }) {
  return (
    <li className="halves small">
      <span>
        <strong>{sentence(group.why)}</strong>
        <details className="fold">
          <summary>{plural(group.items.length, "record")}</summary>
          <ul className="plain-list ruled">
            {group.items.map((item) => (
              <li key={keyOf(item)}>
                <Name item={item} /> <Use item={item} onUse={onUse} />
                {item.reason_text === null ? null : <div className="dim">{sentence(unbroken(item.reason_text))}</div>}
              </li>
            ))}
          </ul>
        </details>
      </span>
      <span>{group.way === null ? "" : sentence(unbroken(group.way))}</span>
    </li>
  );
}

const keyOf = ({ subject }: MatchItem): string =>
  `${subject.run_id ?? `${subject.label} ${subject.publication_row ?? ""}`} ${subject.operation ?? ""} ${subject.clock ?? ""}`;

function factsOf({ subject }: MatchItem): string {
  if (subject.source === "publication") return joinParts(["published", subject.publication_title ?? null]);
  const host = subject.host_name == null || subject.label.includes(subject.host_name) ? null : subject.host_name;
  return joinParts([host, recordText(subject)]);
}

function Name({ item: { subject } }: { item: MatchItem }) {
  if (subject.publication_slug != null)
    return (
      <PublicationLink
        slug={subject.publication_slug}
        {...(subject.publication_row == null ? {} : { hash: subject.publication_row })}
        className="wrap-anywhere strong plain-link"
        preload="intent"
      >
        {subject.label}
      </PublicationLink>
    );
  if (subject.run_id == null) return <strong>{subject.label}</strong>;
  return (
    <RunLink id={subject.run_id} className="wrap-anywhere strong plain-link" preload="intent">
      {subject.label}
    </RunLink>
  );
}

function Use({ item, onUse }: { item: MatchItem; onUse: (item: MatchItem) => void }) {
  if (item.subject.run_id == null) return null;
  return (
    <button
      type="button"
      className="plain-button accent small no-print"
      aria-label={`Ask about it: ${item.subject.label}`}
      onClick={() => onUse(item)}
    >
      Ask about it
    </button>
  );
}
