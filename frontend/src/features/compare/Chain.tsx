// Linked runs (device, server, database, network) on one latency axis: latency added per hop, and invalid sums.
import { Button, Group } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Chain as ChainFound, chainQuery, chainsQuery, makeChain, proposalQuery, removeChain } from "@/api/chains";
import { ChartFigure } from "@/charts/ChartFigure";
import type { ChartSpec } from "@/charts/spec";
import { subjectsOf } from "@/entities/comparison/subjects";
import { Missing } from "@/entities/missing/Missing";
import { formatLatency, formatLatencyInterval, formatQuantile } from "@/lib/format";
import { isId } from "@/lib/ids";
import { ConfirmButton } from "@/ui/ConfirmDialog";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { Empty, Failed, QueryView } from "@/ui/states";
import type { CompareChange, CompareSearch } from "./address";
import { curveSpec } from "./curves";
import { TemplateHead } from "./Templates";

type ChainProps = { view: CompareSearch; onView: (change: CompareChange) => void };

export function Chain({ view, onView }: ChainProps) {
  const run = subjectsOf(view.of).find((subject) => subject.startsWith("run:"));
  if (view.chain !== undefined)
    return isId(view.chain) ? <ChainById id={view.chain} onView={onView} /> : <Missing what="chain" />;
  return (
    <>
      {run === undefined ? null : <Proposal runId={run.slice("run:".length)} onView={onView} />}
      <StoredChains onView={onView} />
    </>
  );
}

function StoredChains({ onView }: Pick<ChainProps, "onView">) {
  const chains = useQuery(chainsQuery());
  if (chains.data === undefined) return <QueryView query={chains} what="the chains" lines={3} />;
  if (chains.data.chains.length === 0) {
    return (
      <Empty title="No runs are linked yet">
        <p>
          Open a run, choose “Compare”, then “Chain”. Runs of the same campaign, or of the same host and time, are
          proposed; you confirm them.
        </p>
      </Empty>
    );
  }
  return (
    <section className="stack-12" aria-label="Chains">
      <h2>Linked runs</h2>
      <ul className="stack-16 plain-list ruled">
        {chains.data.chains.map((chain) => (
          <li key={chain.chain_id} className="tiles">
            <Button variant="subtle" onClick={() => onView({ chain: chain.chain_id })}>
              {chain.title}
            </Button>
            <span className="dim">{chain.runs.map(({ layer }) => LAYERS[layer]).join(" → ")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Proposal({ runId, onView }: { runId: string; onView: ChainProps["onView"] }) {
  const queries = useQueryClient();
  const proposal = useQuery(proposalQuery(runId));
  const confirm = useMutation({
    mutationFn: makeChain,
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: ["chains"] });
      onView({ chain: made.chain_id });
    },
  });
  if (proposal.data === undefined)
    return <QueryView query={proposal} what="the proposal" lines={3} missing={<Missing what="run" />} />;
  const { runs, complete } = proposal.data;
  const title = runs
    .map((run) => run.title)
    .join(" → ")
    .slice(0, 200);
  const save = () => confirm.mutate({ title, hops: runs.map(({ layer, run_id }) => ({ layer, run_id })) });
  return (
    <section className="stack-12" aria-label="Proposed chain">
      <h2>{complete ? "Do these belong together?" : "No other layer of this run was found"}</h2>
      <ul className="stack-16 plain-list ruled">
        {runs.map((run) => (
          <li key={run.run_id} className="tiles">
            <span className="strong wrap-anywhere">{LAYERS[run.layer]}</span>
            <RunLink id={run.run_id}>{run.title}</RunLink>
            <span className="dim">{run.reasons.join(", ")}</span>
          </li>
        ))}
      </ul>
      {complete ? (
        <Button variant="filled" className="self-start" size="xs" loading={confirm.isPending} onClick={save}>
          Link these runs
        </Button>
      ) : (
        <p className="dim">Runs are proposed that share a campaign, or the host and the time.</p>
      )}
      <Failed error={confirm.error} what="The link" />
    </section>
  );
}

function ChainById({ id, onView }: { id: string; onView: ChainProps["onView"] }) {
  const queries = useQueryClient();
  const chain = useQuery(chainQuery(id));
  const unlink = async () => {
    await removeChain(id);
    // The removed chain must not be fetched again (404); list and proposal are fetched when they are opened.
    void queries.invalidateQueries({ queryKey: ["chains"], refetchType: "none" });
    onView({ chain: undefined });
  };
  if (chain.data === undefined)
    return <QueryView query={chain} what="the chain" lines={4} height={96} missing={<Missing what="chain" />} />;
  return (
    <>
      <TemplateHead question="Where does the time go?" answer={chain.data.sentence}>
        <p className="measure muted">{chain.data.warning}</p>
        {chain.data.notes.map((note) => (
          <p key={note} className="measure muted">
            {note}
          </p>
        ))}
      </TemplateHead>
      <Section title="Hops on one axis" isTitleHidden className="stack-12">
        <ChartFigure spec={chainSpec(chain.data)} />
      </Section>
      <Hops chain={chain.data} />
      <Group gap="8px 12px" className="no-print">
        <Button size="xs" onClick={() => onView({ chain: undefined })}>
          All chains
        </Button>
        <ConfirmButton
          label="Unlink"
          title="Unlink these runs?"
          action={unlink}
          what="The links"
          confirm="Remove the links"
          keep="Keep them"
        >
          <p>The runs stay.</p>
        </ConfirmButton>
        <span className="dim">
          {chain.data.confirmed_by === "campaign" ? "Linked by their campaign" : "Linked by a person"}
        </span>
      </Group>
    </>
  );
}

const LAYERS = { device: "Device", server: "Server", database: "Database", network: "Network" } as const;

/** Returns the percentile curves of linked runs on one axis. */
function chainSpec(chain: ChainFound): ChartSpec {
  const subjects = chain.hops.map(({ layer, title, curve }) => ({ label: `${LAYERS[layer]}: ${title}`, curve }));
  const spec = curveSpec({ subjects, operation: chain.hops[0]?.operation ?? "" }, "auto");
  return { ...spec, title: "Each hop on one axis, innermost layer first" };
}

type ChainHop = ChainFound["hops"][number];

const HOPS: Columns<{ hop: ChainHop; at: ChainHop["added"][number] }> = [
  { header: "Hop", accessorFn: ({ hop }) => LAYERS[hop.layer], meta: ROW_HEADER },
  { header: "Quantile", accessorFn: ({ at }) => formatQuantile(at.quantile) },
  {
    header: "At this quantile of the whole",
    accessorFn: ({ at }) => (at.contradicts ? "faster than inside" : between(at.lower_ns, at.upper_ns)),
    meta: RIGHT,
  },
  {
    header: "Its own time, whatever the dependence",
    accessorFn: ({ at }) => between(at.least_ns, at.most_ns),
    meta: RIGHT,
  },
];

function Hops({ chain }: { chain: ChainFound }) {
  return (
    <Section title="What each hop adds" className="stack-12">
      <DataTable
        label="What each hop adds"
        plain="cards"
        columns={HOPS}
        rows={chain.hops.flatMap((hop) => hop.added.map((at) => ({ hop, at })))}
      />
      <p className="dim">
        The third column is the difference of both curves: what the hop adds if the same operations are slow inside and
        outside. The fourth holds whatever the dependence.
      </p>
    </Section>
  );
}

function between(lower: number | null, upper: number | null): string {
  const low = Math.max(0, lower ?? 0);
  if (upper === null) return `at least ${formatLatency(low, "down")}`;
  return formatLatencyInterval(low, Math.max(0, upper));
}
