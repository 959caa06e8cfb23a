// Reasons why tests are not comparable, within this drive and with another drive.
import { Group, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type DrivePage, type DriveTest, drivePageQuery, driveSearchQuery } from "@/api/drivePage";
import { comparabilityQuery } from "@/api/leaderboard";
import type { Comparability as ComparabilityAnswer } from "@/api/types";
import { driveName, loadText, shareRangeText } from "@/entities/drive/ratings";
import { formatExactLatency, plural } from "@/lib/format";
import { groupBy } from "@/lib/groupBy";
import { type Columns, DataTable, NAME_CELL, RIGHT } from "@/ui/DataTable";
import { IconCheck, IconCross } from "@/ui/icons";
import { DriveLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { QueryView } from "@/ui/states";
import { Unknown } from "@/ui/Value";
import type { DriveChange, DriveSearch } from "./address";
import { conditionWords, splitConditions, testName } from "./words";

type ComparabilityProps = { page: DrivePage; view: DriveSearch; onView: (change: DriveChange) => void };

/** Highest number of tests that the API compares in one request. */
const MOST_TESTS = 19;

export function Comparability({ page, view, onView }: ComparabilityProps) {
  return (
    <Section title="What may be compared" className="stack-12 panel">
      <OwnTests page={page} />
      {page.tests.length === 0 ? null : <ComparedWith page={page} view={view} onView={onView} />}
    </Section>
  );
}

function OwnTests({ page }: { page: DrivePage }) {
  const { own } = splitConditions(page.rows);
  const nameOf = (rowId: string): string => {
    const row = page.rows.find((candidate) => candidate.row_id === rowId);
    return row === undefined ? rowId : own(row) || conditionWords(row);
  };
  const kinds = countKinds(page.comparability);
  if (kinds.length === 0)
    return page.rows.length > 1 ? <p>All tests of this drive were run under conditions that may be compared.</p> : null;
  const pairs = (page.rows.length * (page.rows.length - 1)) / 2;
  return (
    <div className="stack-4 fold">
      <h3 className="small">Among its own tests</h3>
      <p>
        {pairs === 1
          ? "Its two sets of conditions"
          : `${page.comparability.length} of ${pairs} pairs of its ${page.rows.length} sets of conditions`}{" "}
        are <strong>not comparable</strong> because
      </p>
      <ul className="stack-4 plain-list">
        {kinds.map(({ kind, pairs: count }) => (
          <li key={kind} className="with-icon">
            <IconCross size={13} color="var(--fail-ink)" />
            <span>
              {kind} {pairs === 1 ? null : <span className="dim">({plural(count, "pair")})</span>}
            </span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Each pair with its reasons</summary>
        <ul className="stack-4 bullets">
          {page.comparability.map(({ row_ids: [first = "", second = ""], reasons }) => (
            <li key={`${first} ${second}`}>
              {nameOf(first)} <span className="dim">and</span> {nameOf(second)}:{" "}
              <span className="dim">{reasons.map(reasonText).join("; ")}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function ComparedWith({ page, view, onView }: ComparabilityProps) {
  const chosen = page.tests.find((test) => test.test_id === view.test) ?? page.tests[0];
  return (
    <div className="stack-8" style={{ paddingTop: 12, borderTop: "1px solid var(--line)" }}>
      <h3 className="small">Against another drive</h3>
      <Group align="stretch" gap="8px 16px">
        <Select
          flex="1 1 280px"
          maw={480}
          label="This drive at"
          size="xs"
          data={page.tests.map((test) => ({ value: test.test_id, label: testName(test) }))}
          value={chosen?.test_id ?? null}
          onChange={(value) => onView({ test: value ?? undefined })}
        />
        <DriveSelect
          not={page.drive.slug}
          slug={view.with ?? null}
          onChoose={(slug) => onView({ with: slug ?? undefined })}
        />
      </Group>
      {view.with === undefined || chosen === undefined ? (
        <p className="dim">Choose a drive: each of its tests then says whether it may be compared, and if not, why.</p>
      ) : (
        <Pairs chosen={chosen} slug={view.with} rules={page.rule_set} />
      )}
    </div>
  );
}

type DriveSelectProps = { not: string; slug: string | null; onChoose: (slug: string | null) => void };

function DriveSelect({ not, slug, onChoose }: DriveSelectProps) {
  const [typed, setTyped] = useState("");
  const [searched] = useDebouncedValue(typed.trim(), 200);
  const matches = useQuery(driveSearchQuery(searched));
  const choices = (matches.data?.drives ?? [])
    .filter((drive) => drive.slug !== not)
    .map((drive) => ({ value: drive.slug, label: driveName(drive) }));
  if (slug !== null && !choices.some((choice) => choice.value === slug)) choices.unshift({ value: slug, label: slug });
  return (
    <Select
      flex="1 1 280px"
      maw={480}
      label="and"
      size="xs"
      placeholder="Find a drive"
      searchable
      clearable
      allowDeselect
      data={choices}
      // The API has already filtered, also by aliases.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage="No drive is called that."
      value={slug}
      maxDropdownHeight={320}
      onChange={onChoose}
    />
  );
}

type PairsProps = { chosen: DriveTest; slug: string; rules: DrivePage["rule_set"] };

function Pairs({ chosen, slug, rules: { name, limits } }: PairsProps) {
  const other = useQuery(drivePageQuery(slug, name));
  const theirs = (other.data?.tests ?? []).slice(0, MOST_TESTS);
  const testIds = [chosen.test_id, ...theirs.map((test) => test.test_id)];
  const answer = useQuery({ ...comparabilityQuery(testIds), enabled: theirs.length > 0 });
  if (other.data === undefined) return <QueryView query={other} what="the other drive" lines={3} />;
  if (theirs.length === 0) return <p>No test of that drive is on record.</p>;
  if (answer.data === undefined) return <QueryView query={answer} what="the comparison" lines={3} />;
  const { drive } = other.data;
  const { pairs } = answer.data;
  const columns: Columns<DriveTest> = [
    {
      id: "test",
      header: () => <DriveLink slug={slug}>{driveName(drive)}</DriveLink>,
      accessorFn: (test) => (
        <>
          <strong>
            {test === chosen ? "this drive, " : ""}
            {loadText(test.load)}
          </strong>
          <div className="dim">{conditionWords(test)}</div>
        </>
      ),
    },
    ...chosen.exceedances.map(({ threshold_ns }) => ({
      id: String(threshold_ns),
      header: `over ${formatExactLatency(threshold_ns)}`,
      accessorFn: (test: DriveTest) => {
        const range = test.exceedances.find((exceedance) => exceedance.threshold_ns === threshold_ns);
        const text = range === undefined ? null : shareRangeText(range, limits);
        return text ?? <Unknown reason="the source does not give this share" />;
      },
      meta: { ...RIGHT, className: "nowrap" },
    })),
    {
      header: "May be compared",
      accessorFn: (test) => (test === chosen ? null : <Comparable pair={pairOf(pairs, chosen, test)} />),
      meta: NAME_CELL,
    },
  ];
  return (
    <>
      <DataTable label="Tests of the other drive, as a table" plain columns={columns} rows={[chosen, ...theirs]} />
      {other.data.tests.length > theirs.length ? (
        <p className="dim">
          The first {theirs.length} of {other.data.tests.length} tests of that drive.
        </p>
      ) : null}
    </>
  );
}

type PairAnswer = ComparabilityAnswer["pairs"][number];

const pairOf = (pairs: readonly PairAnswer[], chosen: DriveTest, test: DriveTest): PairAnswer | undefined =>
  pairs.find(
    ({ first, second }) =>
      (first === chosen.test_id && second === test.test_id) || (second === chosen.test_id && first === test.test_id),
  );

function Comparable({ pair }: { pair: PairAnswer | undefined }) {
  if (pair === undefined) return <Unknown reason="the API did not say" />;
  return (
    <>
      {pair.comparable ? (
        <span style={{ color: "var(--pass-ink)" }}>
          <IconCheck size={13} /> can be compared
        </span>
      ) : (
        <span style={{ color: "var(--fail-ink)" }}>
          <IconCross size={13} /> not comparable because {pair.reasons.map(reasonText).join("; ")}
        </span>
      )}
      {pair.warnings.map((warning) => (
        <div key={warning} className="dim">
          {warning}
        </div>
      ))}
    </>
  );
}

type Note = { readonly row_ids: readonly string[]; readonly reasons: readonly string[] };

const BEGINNING = /^not comparable because\s+/i;
const DETAIL = /\s*[(:].*$/;

/** Returns a reason without its fixed beginning, which the page shows already. */
export const reasonText = (reason: string): string => reason.replace(BEGINNING, "").replace(/\.$/, "");

/** Returns the kind of a reason, without the values of the pair: `different times were taken`. */
export const reasonKind = (reason: string): string => reasonText(reason).replace(DETAIL, "");

type KindCount = { readonly kind: string; readonly pairs: number };

/** Returns the kinds of reasons with their number of pairs, the most frequent first. */
export function countKinds(notes: readonly Note[]): KindCount[] {
  const kinds = notes.flatMap(({ reasons }) => [...new Set(reasons.map(reasonKind))]);
  return [...groupBy(kinds, (kind) => kind)]
    .map(([kind, { length }]) => ({ kind, pairs: length }))
    .sort((a, b) => b.pairs - a.pairs);
}
