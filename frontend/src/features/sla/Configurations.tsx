// Results of the question for all stored subjects, grouped by verdict and strength, undecided subjects by the missing
// evidence.
import { SegmentedControl } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { refusesQuestion } from "@/api/problem";
import { matchQuery } from "@/api/sla";
import type { BudgetChoice, MatchCounts, MatchItem, SubjectKind, TransactionDocument } from "@/api/types";
import { roomOf, roomSource, usedText } from "@/entities/verdict/answer";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { VerdictBadge, VerdictMark, Weakening } from "@/entities/verdict/VerdictBadge";
import { saveCsv } from "@/lib/csv";
import { formatExactLatency, formatInteger, joinParts, plural, sentence, unbroken } from "@/lib/format";
import { shareText } from "@/lib/shares";
import { CsvButton } from "@/ui/CsvButton";
import { PublicationLink, RunLink } from "@/ui/links";
import { Failed, Loading, MoreButton } from "@/ui/states";
import { Unknown } from "@/ui/Value";
import type { SlaChange, SlaSearch } from "./address";
import classes from "./Configurations.module.css";
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
  const allowed = transaction === null ? null : transaction.window_ns - (transaction.reserve_ns ?? 0);
  return (
    <>
      <p>{summaryOf(counts.proven, counts.observed, counts.misses, counts.undecided)}</p>
      <div className={classes["columns"]} aria-hidden="true">
        <span>Record</span>
        {allowed === null ? <span /> : <span>Reads take, of {formatExactLatency(allowed)}</span>}
        <span style={{ textAlign: "right" }}>
          {transaction === null ? "Share" : "In time"}
          {Object.keys(costs).length === 0 ? "" : ", cost"}
        </span>
      </div>
      {DECIDED.filter(({ key }) => groups[key].length > 0).map(({ key, total, name, about, verdict }) => (
        <Group
          key={key}
          name={name}
          about={about}
          mark={<VerdictMark of={{ verdict, strength: key === "proven" ? "proven" : "observed" }} />}
          count={counts[total]}
        >
          <ul className={`plain-list ${classes["rows"]}`} aria-label={name}>
            {groups[key].map((item) => (
              <Row key={keyOf(item)} item={item} cost={costOf(item, costs)} transaction={transaction} onUse={onUse} />
            ))}
          </ul>
        </Group>
      ))}
      {undecided.length === 0 ? null : (
        <Group
          name="Undecided"
          about="by what would decide it"
          mark={<VerdictMark of={{ verdict: "INDETERMINATE" }} />}
          count={counts.undecided}
        >
          <ul className={`plain-list ${classes["rows"]}`} aria-label="Undecided">
            {undecided.map((group) => (
              <UndecidedRow key={`${group.why} ${group.way ?? ""}`} group={group} onUse={onUse} />
            ))}
          </ul>
        </Group>
      )}
    </>
  );
}

type GroupProps = { name: string; about: string; mark: ReactNode; count: number; children: ReactNode };

function Group({ name, about, mark, count, children }: GroupProps) {
  return (
    <section style={{ paddingTop: 12 }}>
      <h3 className="row">
        {mark} {name} <span className="dim">{formatInteger(count)}</span>{" "}
        <span className="muted small" style={{ fontWeight: 400 }}>
          {about}
        </span>
      </h3>
      {children}
    </section>
  );
}

type RowProps = {
  item: MatchItem;
  cost: Costs[string] | undefined;
  transaction: TransactionDocument | null;
  onUse: (item: MatchItem) => void;
};

function Row({ item, cost, transaction, onUse }: RowProps) {
  const { subject, headline } = item;
  const room = transaction === null ? null : roomOf(item.verdict, roomSource(item, transaction));
  const scope = subject.source === "publication" ? "test" : "run";
  return (
    <li className={classes["row"]} title={item.reason_text === null ? undefined : sentence(unbroken(item.reason_text))}>
      <div style={{ display: "flex", alignItems: "flex-start", gap: 10, minWidth: 0 }}>
        <VerdictBadge of={{ ...item, provisional: subject.provisional }} scope={scope} bare />
        <div>
          <Name item={item} /> <Use item={item} onUse={onUse} />
          <div className="wrap dim">
            {factsOf(item)}
            {subject.closed_loop ? <Weakening text="closed loop" /> : null}
          </div>
        </div>
      </div>
      {room === null || room.usedLowerNs === null ? (
        <span />
      ) : (
        <div className={classes["bar"]}>
          <RoomBar room={room} />
          <span className="num">{usedText(room)}</span>
        </div>
      )}
      <div className="num" style={{ textAlign: "right" }}>
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
      </div>
    </li>
  );
}

function UndecidedRow({ group, onUse }: { group: Undecided; onUse: RowProps["onUse"] }) {
  return (
    <li className="halves small">
      <span>
        <strong>{sentence(group.why)}</strong>
        <details className="fold">
          <summary>{plural(group.items.length, "record")}</summary>
          <ul className={`plain-list ${classes["rows"]}`}>
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
