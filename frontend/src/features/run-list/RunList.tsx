// List of all runs with workload, state and verdicts. Filters and order are in the address.
import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState } from "react";
import { useReaderQuestion } from "@/entities/question/readerQuestion";
import { useJudgedRuns } from "@/entities/run/useJudgedRuns";
import { useRunList } from "@/entities/run/useRunList";
import { workloadName } from "@/entities/run/words";
import { plural, sentence } from "@/lib/format";
import { Command } from "@/ui/Command";
import { IconSearch } from "@/ui/icons";
import { Empty, Failed, MoreButton, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { DEFAULT_SORT, type RunListView } from "./address";
import { RunTable } from "./RunTable";

type RunListProps = {
  view: RunListView;
  onView: (change: Partial<Record<keyof RunListView, string | undefined>>) => void;
};

const STATES = ["running", "finishing", "finished"];
const WORKLOADS = ["act-storage", "fraud-transaction", "fraud", "keyvalue", "ycsb", "sync-write", "qualify"].map(
  (value) => ({ value, label: workloadName(value) }),
);

export function RunList({ view, onView }: RunListProps) {
  usePageTitle("Runs");
  const { sort = DEFAULT_SORT, state, workload, q } = view;
  const runs = useRunList(view);
  const problem = runs.error ?? runs.newsError;
  const filtered = [state, workload, q].some((filter) => filter !== undefined);
  const pages = runs.data?.pages;
  const listed = useMemo(() => pages?.flatMap((page) => page.runs) ?? [], [pages]);
  const question = useReaderQuestion();
  const { runs: loaded, isPending } = useJudgedRuns(listed, question);
  const total = pages?.[0]?.total ?? 0;
  const more = pages?.[0]?.total_is_exact === false ? "more than " : "";

  return (
    <div className="stack-16">
      <Group align="baseline" wrap="nowrap" gap={16}>
        <h1>Runs</h1>
        <p className="dim" role="status">
          {runs.data === undefined
            ? ""
            : `${more}${plural(total, "run")}${filtered ? " match" : ""}${loaded.length < total ? `, ${loaded.length} shown` : ""}`}
        </p>
      </Group>
      <Filters view={view} onView={onView} />
      {runs.data === undefined || isPending ? (
        <QueryView query={runs} what="the runs" lines={6} height={40} />
      ) : (
        <>
          <Failed error={problem} what="The newest runs" onRetry={() => void runs.refetch()} />
          {loaded.length === 0 ? (
            filtered ? (
              <Empty title="No run matches these filters">
                <Button size="xs" onClick={() => onView({ state: undefined, workload: undefined, q: undefined })}>
                  Clear the filters
                </Button>
              </Empty>
            ) : (
              <Empty title="No runs yet">
                <p>Measure this machine, or start the agent on another one with a plan of your own:</p>
                <Command text="make up" />
                <Command text={`tailroom-agent run --plan PLAN.toml --backend ${window.location.origin}`} />
              </Empty>
            )
          ) : (
            <RunTable
              runs={loaded}
              sort={sort}
              own={question !== null}
              onSort={(next) => onView({ sort: next === DEFAULT_SORT ? undefined : next })}
            />
          )}
          <MoreButton pages={runs} className="self-center">
            Show {Math.min(50, total - loaded.length)} more
          </MoreButton>
        </>
      )}
    </div>
  );
}

function Filters({ view, onView }: RunListProps) {
  const [typed, setTyped] = useState(view.q ?? "");
  const field = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback(
    (value: string) => onView({ q: value.trim() === "" ? undefined : value.trim() }),
    250,
  );
  // Browser history navigation changes the address, which the field has to follow.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(view.q ?? "");
  }, [view.q]);
  return (
    <Group component="search" gap={8} align="stretch" className="no-print" aria-label="Filter runs">
      <TextInput
        ref={field}
        style={{ flex: "1 1 240px", maxWidth: 400 }}
        aria-label="Title or host"
        placeholder="Title or host"
        data-shortcut="/"
        leftSection={<IconSearch size={14} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      {Object.entries({ state: STATES, workload: WORKLOADS }).map(([key, data]) => (
        <Select
          key={key}
          style={{ flex: "0 1 180px", minWidth: 140 }}
          aria-label={sentence(key)}
          placeholder={`Any ${key}`}
          clearable
          allowDeselect
          data={data}
          value={view[key as "state" | "workload"] ?? null}
          onChange={(value) => onView({ [key]: value ?? undefined })}
        />
      ))}
    </Group>
  );
}
