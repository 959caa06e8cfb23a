// Replacement of an empty matrix: the API's refusal or an empty result, each with the next step.
import { Button } from "@mantine/core";
import { ApiProblem } from "@/api/problem";
import type { Leaderboard } from "@/api/types";
import { formatInteger, sentence } from "@/lib/format";
import { Empty, Failed, Problem } from "@/ui/states";
import { type DrivesChange, type DrivesDraft, LIST_FILTERS, shownText } from "./address";
import { chipsOf, FILTER_WORDS, NO_FILTERS } from "./filters";
import { NO_BASIS } from "./question";

type RefusedProps = { error: Error; onRetry: () => void; onChoose: (change: DrivesChange) => void };

/** Explains which part of the address the API refused, and offers to remove it; other errors are shown as failures. */
export function Refused({ error, onRetry, onChoose }: RefusedProps) {
  const refused = error instanceof ApiProblem && error.status < 500 && error.status !== 401;
  if (!refused) return <Failed error={error} what="The drives" onRetry={onRetry} />;
  return (
    <Problem title="The address asks for something that there is not">
      <div className="stack-8">
        {error.problems.length === 0 ? (
          <p>{error.message}</p>
        ) : (
          <ul>
            {error.problems.map(({ field, reason }) => (
              <li key={`${field} ${reason}`}>
                <strong>{partName(field)}</strong>: {reason}
              </li>
            ))}
          </ul>
        )}
        <div className="row">
          <Button size="xs" onClick={() => onChoose(NO_FILTERS)}>
            Clear all filters
          </Button>
          <Button size="xs" onClick={() => onChoose(NO_BASIS)}>
            Judge by the usual rules
          </Button>
        </div>
      </div>
    </Problem>
  );
}

/** Returns the title of a refused parameter, such as `metric.0`, with its name in the address. */
function partName(field: string): string {
  const name = field.split(".")[0] ?? "";
  const filter = LIST_FILTERS.find((candidate) => candidate === name);
  return filter === undefined ? sentence(name.replaceAll("_", " ")) : `${FILTER_WORDS[filter].title} (${name})`;
}

/** Asks for a correction of an unreadable field if no earlier question can be shown. */
export function UnreadableQuestion() {
  return (
    <Empty title="Nothing is asked yet">
      <p>Correct the marked field, and the drives come by themselves.</p>
    </Empty>
  );
}

export function NoRows({ draft, answer }: { draft: DrivesDraft; answer: Leaderboard }) {
  const { shown, choose } = draft;
  if (answer.total_unfiltered === 0)
    return shownText(shown, "scope") === "mine" ? (
      <Empty title="Your organisation has no tested drives yet">
        <p>
          Upload a log, or run the agent on a server: every finished run of a drive that the catalogue knows stands
          here.
        </p>
        <Button size="xs" onClick={() => choose({ scope: undefined })}>
          Show public results
        </Button>
      </Empty>
    ) : (
      <Empty title="No drive has been tested yet">
        <p>Published results come with the product and are read when it starts. Your own runs follow as they finish.</p>
      </Empty>
    );
  return (
    <Empty title={`None of ${formatInteger(answer.total_unfiltered)} rows matches`}>
      <p>
        {answer.hidden.count > 0
          ? "The filters leave none under the conditions that are shown."
          : "The filters leave none."}
      </p>
      <div className="row">
        {chipsOf(shown).length === 0 ? null : (
          <Button size="xs" onClick={() => choose(NO_FILTERS)}>
            Clear all filters
          </Button>
        )}
        {answer.hidden.count === 0 || shown.equal === "no" ? null : (
          <Button size="xs" onClick={() => choose({ equal: "no" })}>
            Show other conditions too
          </Button>
        )}
      </div>
    </Empty>
  );
}
