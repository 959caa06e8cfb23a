// Tests of the drive: shares of slow reads, verdicts with reasons, conditions, and links to the evidence.
import type { DrivePage, DriveRow, DriveTest, TestVerdict } from "@/api/drivePage";
import {
  evidenceName,
  generationName,
  type LimitOfRating,
  loadText,
  metricMeaning,
  metricName,
  ratingSentence,
  shareRangeText,
} from "@/entities/drive/ratings";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { formatExactLatency, formatSpan, joinParts, plural, sentence } from "@/lib/format";
import { type Columns, DataTable, NAME_CELL, RIGHT } from "@/ui/DataTable";
import { IconLock, IconWarning } from "@/ui/icons";
import { Section } from "@/ui/Section";
import { Unknown } from "@/ui/Value";
import { sourceOfTest } from "./facts";
import { SourceLink } from "./SourceLink";
import { conditionWords, dateText } from "./words";

/** A test, and the row and tests of its set of conditions. */
type TestLine = { test: DriveTest; row: DriveRow; tests: readonly DriveTest[] };

export function Tests({ page }: { page: DrivePage }) {
  const thresholds = [
    ...new Set(page.tests.flatMap((test) => test.exceedances.map((exceedance) => exceedance.threshold_ns))),
  ].sort((a, b) => a - b);
  const groups = page.rows
    .map((row) => ({
      row,
      tests: page.tests.filter((test) => test.row_id === row.row_id).sort((a, b) => a.load - b.load),
    }))
    .filter((group) => group.tests.length > 0);
  if (groups.length === 0) return null;
  const columns: Columns<TestLine> = [
    {
      header: "Load",
      accessorFn: ({ test }) => <strong title={loadMeaning(test)}>{loadText(test.load)}</strong>,
      meta: RIGHT,
    },
    ...thresholds.map((threshold) => ({
      id: String(threshold),
      header: `over ${formatExactLatency(threshold)}`,
      accessorFn: ({ test }: TestLine) => <Share test={test} thresholdNs={threshold} limits={page.rule_set.limits} />,
      meta: { ...RIGHT, className: "nowrap" },
    })),
    {
      header: "Verdict by rule set",
      accessorFn: ({ test }) => <Verdicts verdicts={test.verdicts} rules={page.rule_set.name} />,
    },
    {
      header: "Evidence",
      accessorFn: ({ test, tests }) => <Evidence test={test} alone={sharedSource(tests) === null} />,
      meta: NAME_CELL,
    },
  ];
  return (
    <Section
      className="stack-12 panel"
      title="Every tested load"
      note={
        <>
          {plural(page.tests.length, "test")} on record, by the conditions they were run under. Shares are given as far
          as rounding or counting leaves them known.
        </>
      }
    >
      <DataTable
        label="Tested loads, as a table"
        plain="cards"
        columns={columns}
        rows={groups.flatMap((group) => group.tests.map((test): TestLine => ({ test, ...group })))}
        rowAttributes={({ test }) => ({ id: `test-${test.test_id}` })}
        groupOf={({ row }) => row.row_id}
        headingOf={({ row, tests }) => (
          <>
            {conditionWords(row)}
            <span className="dim">: {ratingSentence(row.rating)}</span>
            <Common tests={tests} />
          </>
        )}
      />
    </Section>
  );
}

const loadMeaning = (test: DriveTest): string | undefined =>
  test.load_as_printed === null ? undefined : `given as ${test.load_as_printed}`;

type ShareProps = { test: DriveTest; thresholdNs: number; limits: readonly LimitOfRating[] };

function Share({ test, thresholdNs, limits }: ShareProps) {
  const share = test.exceedances.find((exceedance) => exceedance.threshold_ns === thresholdNs);
  const text = share === undefined ? null : shareRangeText(share, limits);
  if (share === undefined || text === null) return <Unknown reason="the source does not give this share" />;
  const exact =
    share.as_printed !== null
      ? `printed “${share.as_printed}”`
      : share.over_count !== null && share.total_count !== null
        ? `${share.over_count.toLocaleString("en-GB")} of ${share.total_count.toLocaleString("en-GB")} reads`
        : undefined;
  return (
    <span title={exact}>
      {text}
      {share.as_printed === null ? null : <span className="block dim fine">{share.as_printed}</span>}
    </span>
  );
}

/** Shows the verdict of the chosen rule set with its reason, then the rule sets with a different verdict or reason. */
function Verdicts({ verdicts, rules }: { verdicts: readonly TestVerdict[]; rules: string }) {
  const first = verdicts.find((verdict) => verdict.rule_set === rules) ?? verdicts[0];
  if (first === undefined) return <Unknown reason="no rule set judges this test" />;
  const others = verdicts.filter((verdict) => verdict !== first);
  const unlike = others.filter((verdict) => verdict.verdict !== first.verdict || verdict.reason !== first.reason);
  const alike = others.filter((verdict) => !unlike.includes(verdict));
  return (
    <ul className="stack-4 plain-list">
      {[first, ...unlike].map((verdict) => (
        <li key={verdict.rule_set}>
          <VerdictBadge of={verdict} scope="test" /> <span className="dim">{verdict.title}</span>
          {verdict.reason_text === null ? null : (
            <p style={{ maxWidth: "48ch", marginTop: 2 }}>{sentence(verdict.reason_text)}</p>
          )}
        </li>
      ))}
      {alike.length === 0 ? null : (
        <li className="dim">likewise: {alike.map((verdict) => verdict.title).join(", ")}</li>
      )}
    </ul>
  );
}

/** Returns a test with the source that all tests of the group share, for the head of the group; null if they differ. */
function sharedSource(tests: readonly DriveTest[]): DriveTest | null {
  const [first] = tests;
  if (first === undefined || tests.length < 2) return null;
  const slug = first.source.slug;
  return slug !== null && tests.every((test) => test.source.slug === slug && test.evidence === first.evidence)
    ? first
    : null;
}

function Common({ tests }: { tests: readonly DriveTest[] }) {
  const shared = sharedSource(tests);
  if (shared === null || shared.source.slug === null) return null;
  return (
    <span className="block small" style={{ fontWeight: 400 }}>
      <SourceLink source={{ kind: "publication", slug: shared.source.slug, row: null, text: shared.source.title }} />
      <span className="dim">, {testedText(shared)}</span>
    </span>
  );
}

/** Returns who ran and who published a test: `tested by its vendor, published by Aerospike`. */
function testedText({ evidence, source: { publisher } }: DriveTest): string {
  if (publisher === null) return evidenceName(evidence);
  if (evidence === "vendor") return `tested by its vendor, published by ${publisher}`;
  return evidence === "third_party"
    ? `tested and published by ${publisher}`
    : `${evidenceName(evidence)} (${publisher})`;
}

function factsOf(test: DriveTest): string {
  return joinParts([
    dateText(test),
    test.duration_ns === null ? "duration not stated" : formatSpan(test.duration_ns),
    test.record_bytes === null ? "record size not stated" : `records of ${test.record_bytes.toLocaleString("en-GB")} B`,
    test.tool === null ? null : joinParts([toolName(test.tool), test.tool_version], " "),
  ]);
}

const toolName = (tool: string): string => (tool === "act" ? "ACT" : tool);

/** Shows the source of a test; `alone`: the head of the group does not name it. */
function Evidence({ test, alone }: { test: DriveTest; alone: boolean }) {
  const source = sourceOfTest(test.source);
  return (
    <div className="small" style={{ maxWidth: "56ch" }}>
      {alone || test.source.row === null ? (
        <>
          <SourceLink source={source} />
          <p>{testedText(test)}</p>
        </>
      ) : (
        <SourceLink source={source}>row {test.source.row}</SourceLink>
      )}
      <p
        className="dim"
        title={`${metricName(test.metric_class)}: ${metricMeaning(test.metric_class)}; ${generationName(test.generation)}`}
      >
        {factsOf(test)}
      </p>
      {test.visibility === "private" ? (
        <p>
          <IconLock size={12} /> private, seen by your organisation alone
        </p>
      ) : null}
      {test.marks.length === 0 ? null : (
        <p>
          <strong>{test.marks.join(", ")}</strong>
          {test.mark_notes.length === 0 ? "" : `: ${test.mark_notes.join("; ")}`}
        </p>
      )}
      {test.findings.length === 0 ? null : (
        <p className="icon-text unsure">
          <IconWarning size={13} />
          <a href="#audit">{plural(test.findings.length, "audit finding")}</a>
        </p>
      )}
    </div>
  );
}
