// Load searches that the compared runs are probes of: the bracket of each, and whether it overlaps the base's.
import { useQuery } from "@tanstack/react-query";
import { type ComparedSearch, type Comparison, comparedSearchesQuery } from "@/api/comparisons";
import { formatRate, sentence } from "@/lib/format";
import { type Columns, DataTable } from "@/ui/DataTable";
import { Section } from "@/ui/Section";
import { Unknown } from "@/ui/Value";
import { SubjectName } from "./Subjects";

const FEWEST = 2;

const rate = (perSecond: number | null) => (perSecond === null ? null : formatRate(perSecond));

/** Returns the bracket of a search: `10 to 20/s`, or `open` in place of an unknown bound. */
function statedText({ surely_passed_per_s: lower, surely_failed_per_s: upper }: ComparedSearch): string {
  return `${rate(lower) ?? "open"} to ${rate(upper) ?? "open"}`;
}

type Row = { subject: Comparison["subjects"][number]; search: ComparedSearch };

const COLUMNS: Columns<Row> = [
  { header: "Subject", accessorFn: ({ subject }) => <SubjectName subject={subject} />, meta: { isRowHeader: true } },
  { header: "Objective", accessorFn: ({ search }) => search.objective },
  {
    header: "Holds at",
    accessorFn: ({ search }) => rate(search.passed_per_s) ?? <Unknown reason="no load holds" />,
  },
  {
    header: "Fails at",
    accessorFn: ({ search }) => rate(search.failed_per_s) ?? <Unknown reason="no load is shown to fail" />,
  },
  { header: "Beyond the scatter of its probes", accessorFn: ({ search }) => statedText(search) },
  {
    header: "Against the base",
    accessorFn: ({ search }, index) =>
      search.effect_text === null ? (
        <span className="dim">{index === 0 ? "base" : "the base is no search"}</span>
      ) : (
        sentence(search.effect_text)
      ),
  },
];

export function LoadSearches({ comparison }: { comparison: Comparison }) {
  const runs = comparison.subjects.flatMap((subject) =>
    subject.source === "run" && subject.run_id != null ? [{ subject, runId: subject.run_id }] : [],
  );
  const answer = useQuery({
    ...comparedSearchesQuery(runs.map(({ runId }) => runId)),
    enabled: runs.length >= FEWEST && runs.length === comparison.subjects.length,
  });
  const rows = runs.flatMap(({ subject }, index) => {
    const search = answer.data?.searches[index];
    return search == null ? [] : [{ subject, search }];
  });
  if (rows.length < FEWEST) return null;
  return (
    <Section title="Highest load that holds" className="stack-12">
      <DataTable label="Brackets" plain="cards" columns={COLUMNS} rows={rows} />
    </Section>
  );
}
