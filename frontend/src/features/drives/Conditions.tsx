// Conditions under which the rows can be ranked, the rows that this hides, and the choice of other conditions.
import { Select, Switch } from "@mantine/core";
import type { Leaderboard, RatingConditions } from "@/api/types";
import { generationName, metricMeaning, metricName, overProvisioningName } from "@/entities/drive/ratings";
import { formatInteger, plural, sentence } from "@/lib/format";
import { groupBy } from "@/lib/groupBy";
import { Section } from "@/ui/Section";
import type { DrivesDraft } from "./address";
import { choosesConditions } from "./filters";

const AUTOMATIC = "the largest class that states its conditions";

export function Conditions({ draft, answer }: { draft: DrivesDraft; answer: Leaderboard }) {
  const { shown, choose } = draft;
  const equal = shown.equal !== "no";
  const { conditions, hidden } = answer;
  const classesOf = distinct(answer.classes);
  const chosen = choosesConditions(shown);
  return (
    <Section title="Conditions" isTitleHidden className="stack-4 panel" style={{ padding: "10px 16px" }}>
      <div className="row">
        <Switch
          checked={equal}
          label="Equal conditions"
          onChange={(event) => choose({ equal: event.currentTarget.checked ? undefined : "no" })}
        />
        {equal ? (
          <>
            {classesOf.length > 1 || chosen ? (
              <Select
                w={400}
                maw="100%"
                size="xs"
                aria-label="Conditions shown"
                data={[
                  { value: AUTOMATIC, label: `${sentence(AUTOMATIC)}` },
                  ...classesOf.map((choice) => ({
                    value: keyOf(choice),
                    label: `${className(choice)} (${formatInteger(choice.rows)})`,
                  })),
                ]}
                value={chosen && conditions !== null ? keyOf(conditions) : AUTOMATIC}
                onChange={(value) => {
                  const selected = classesOf.find((each) => keyOf(each) === value);
                  choose(
                    selected === undefined
                      ? { metric: undefined, op: undefined, generation: undefined }
                      : { metric: selected.metric_class, op: selected.op_class, generation: selected.generation },
                  );
                }}
              />
            ) : null}
            {conditions === null ? null : (
              <span className="dim" title={`${sentence(metricMeaning(conditions.metric_class))}.`}>
                {sentence(conditions.text)}
              </span>
            )}
          </>
        ) : (
          <p className="caution notice" style={{ flex: "1 1 400px" }}>
            Rows of different conditions stand beside each other. Ranks hold only among rows of the same conditions: do
            not read an order across them.
          </p>
        )}
      </div>
      {equal && hidden.count > 0 ? (
        <details className="fold">
          <summary>Hides {plural(hidden.count, "row")}: why?</summary>
          <p>
            Drives tested under other conditions cannot be put in one order with these: their numbers do not mean the
            same.
          </p>
          <ul className="stack-2 plain-list">
            {hidden.reasons.map(({ reason, count }) => (
              <li key={reason}>
                <strong className="num">{formatInteger(count)}</strong> {reason}
              </li>
            ))}
          </ul>
        </details>
      ) : equal ? (
        <p className="dim">It hides nothing: all rows were tested under these.</p>
      ) : null}
    </Section>
  );
}

/** Returns a set of conditions as a key, from the attributes that filters can select. */
const keyOf = (conditions: RatingConditions): string =>
  [conditions.metric_class, conditions.op_class, conditions.generation].join(" ");

const className = (conditions: RatingConditions): string =>
  [
    metricName(conditions.metric_class),
    overProvisioningName(conditions.op_class),
    generationName(conditions.generation),
  ].join(" · ");

/** Returns one set of conditions per key, namely that with most rows; the largest set first. */
function distinct(all: readonly RatingConditions[]): RatingConditions[] {
  const largestFirst = all.toSorted((a, b) => b.rows - a.rows);
  return [...groupBy(largestFirst, keyOf).values()].map(([first]) => first);
}
