// The searches for the highest load that runs are probes of: the bracket of each, and whether it lies wholly beside that of the base.
import { useQuery } from "@tanstack/react-query";
import { type ComparedSearch, type Comparison, comparedSearchesQuery } from "@/api/comparisons";
import { formatRate } from "@/lib/format";
import { opsPerSecond } from "@/lib/units";
import { sentence } from "@/lib/words";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Unknown } from "@/ui/Value";
import classes from "./ComparePage.module.css";
import { SubjectName } from "./Subjects";

const FEWEST = 2;

const rate = (perSecond: number | null) => (perSecond === null ? null : formatRate(opsPerSecond(perSecond)));

/** `10 to 20/s`, with the word for an end that is open. */
function statedText({ surely_passed_per_s: lower, surely_failed_per_s: upper }: ComparedSearch): string {
  return `${rate(lower) ?? "open"} to ${rate(upper) ?? "open"}`;
}

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
    <section className={classes["section"]} aria-label="Highest load that holds">
      <h2>Highest load that holds</h2>
      <ScrollRegion label="Brackets" cards>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Subject</th>
              <th scope="col">Objective</th>
              <th scope="col">Holds at</th>
              <th scope="col">Fails at</th>
              <th scope="col">Beyond the scatter of its probes</th>
              <th scope="col">Against the base</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ subject, search }, index) => (
              <tr key={subject.subject}>
                <th scope="row">
                  <SubjectName subject={subject} />
                </th>
                <td data-label="Objective">{search.objective}</td>
                <td data-label="Holds at">{rate(search.passed_per_s) ?? <Unknown reason="no load holds" />}</td>
                <td data-label="Fails at">
                  {rate(search.failed_per_s) ?? <Unknown reason="no load is shown to fail" />}
                </td>
                <td data-label="Beyond the scatter of its probes">{statedText(search)}</td>
                <td data-label="Against the base">
                  {search.effect_text === null ? (
                    <span className="dim">{index === 0 ? "base" : "the base is no search"}</span>
                  ) : (
                    sentence(search.effect_text)
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
