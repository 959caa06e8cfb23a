// Number of nodes for a transaction rate, with its derivation and assumptions.
import { useQuery } from "@tanstack/react-query";
import { refusesQuestion } from "@/api/problem";
import { type KeyedSubject, sizeQuery } from "@/api/sla";
import type { BudgetChoice, SizeAnswer } from "@/api/types";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { Fact, Facts } from "@/entities/verdict/VerdictFacts";
import { formatCount, formatInteger, plural, sentence, unbroken } from "@/lib/format";
import { plainOf } from "@/lib/search";
import { shareText } from "@/lib/shares";
import { Field } from "@/ui/Field";
import { Section } from "@/ui/Section";
import { Loading, QueryView } from "@/ui/states";
import { type SlaDraft, shownText } from "./address";
import { SIZE_DEFAULTS, type SizeField, type SizeState } from "./sizeQuestion";

type SizingProps = {
  subject: KeyedSubject | null;
  /** Judged budget; null while the answer is pending. */
  budget: BudgetChoice | null;
  draft: SlaDraft;
  state: SizeState;
};

/** Fields of the sizing beside the rate, in the order of the sentence. */
const FURTHER: readonly (FieldText & { name: Exclude<SizeField, "tps"> })[] = [
  {
    name: "headroom",
    label: "Headroom, per cent of a node's proven load",
    width: 4,
    before: "use at most",
    after: "% of a node's proven load",
  },
  { name: "spare", label: "Nodes that may fail", width: 3, before: "with", after: "nodes failed" },
  { name: "copies", label: "Copies of each record", width: 3, before: "keep", after: "copies of each record" },
  {
    name: "writes",
    label: "Writes per second",
    width: 8,
    placeholder: "none",
    before: "also write",
    after: "records/s",
  },
  {
    name: "nodewrites",
    label: "Writes per second proven for one node",
    width: 8,
    placeholder: "unknown",
    before: "of which one node takes",
    after: "/s",
  },
  { name: "data", label: "Data to hold", width: 8, placeholder: "none", before: "hold", after: "of data" },
  {
    name: "disk",
    label: "Usable capacity of one node",
    width: 8,
    placeholder: "unknown",
    before: "with",
    after: "usable on one node",
  },
  {
    name: "fill",
    label: "Fill at most, per cent",
    width: 5,
    placeholder: "100",
    before: "filled to at most",
    after: "%",
  },
];
type FieldText = { label: string; width: number; placeholder?: string; before: string; after: string };

export function Sizing({ subject, budget, draft, state }: SizingProps) {
  const { shown, edit } = draft;
  const field = (name: SizeField) => ({
    text: shownText(shown, name, SIZE_DEFAULTS[name]),
    onText: (typed: string) => edit({ [name]: typed === "" && name !== "tps" ? undefined : plainOf(typed) }),
    problem: state.problems[name],
    numeric: name !== "data" && name !== "disk",
  });
  return (
    <Section title="How many of them for my rate?" className="stack-12 panel" style={{ alignContent: "start" }}>
      <div className="medium">
        <Field {...field("tps")} label="Transactions per second" width={8} before="Need" after="transactions/s" />
      </div>
      <details className="fold" open={FURTHER.some(({ name }) => shown[name] !== undefined) || undefined}>
        <summary>Headroom, failures, writes and data</summary>
        <div className="wrap" style={{ paddingTop: 12 }}>
          {FURTHER.map(({ name, ...texts }) => (
            <Field key={name} {...field(name)} {...texts} />
          ))}
        </div>
      </details>
      {subject === null ? (
        <p className="dim">Choose what to judge, above.</p>
      ) : state.request === null ? (
        <p className="dim">Correct the marked field to see the number of nodes.</p>
      ) : budget === null ? (
        <Loading what="the number of nodes" lines={2} height={32} />
      ) : (
        <Answer subject={subject} budget={budget} request={state.request} pending={draft.pending} />
      )}
    </Section>
  );
}

type AnswerProps = {
  subject: KeyedSubject;
  budget: BudgetChoice;
  request: NonNullable<SizeState["request"]>;
  pending: boolean;
};

function Answer({ subject, budget, request, pending }: AnswerProps) {
  const size = useQuery(sizeQuery(subject, budget, request));
  if (size.error !== null && refusesQuestion(size.error))
    return <p className="dim">The question cannot be asked; see above.</p>;
  if (size.data === undefined) return <QueryView query={size} what="the size" lines={2} height={32} />;
  const answer = size.data;
  return (
    <div className="stack-12" data-outdated={pending || size.isPlaceholderData || undefined}>
      {answer.nodes === null ? null : (
        <p className="row" role="status">
          <strong style={{ fontSize: "1.75rem", lineHeight: "32px" }}>{plural(answer.nodes, "node")}</strong>
          <VerdictBadge of={{ ...answer, provisional: answer.subject.provisional }} />{" "}
          <span className="dim">at the load that was measured</span>
        </p>
      )}
      {answer.nodes !== null || answer.reason_text === null ? null : <p>{sentence(unbroken(answer.reason_text))}</p>}
      {answer.parts.length === 0 ? null : (
        <Facts>
          {answer.parts.map((part) => (
            <Fact key={part.name} name={PARTS[part.name]}>
              {plural(part.nodes, "node")} <span className="dim">{unbroken(part.arithmetic)}</span>
            </Fact>
          ))}
        </Facts>
      )}
      <PerNode answer={answer} />
      {answer.nodes === null || answer.assumptions.length === 0 ? null : (
        <p>
          <strong>Assumes:</strong> {answer.assumptions.join("; ")}.
        </p>
      )}
    </div>
  );
}

const PARTS: Record<SizeAnswer["parts"][number]["name"], string> = {
  reads: "for the reads",
  writes: "for the writes",
  data: "for the data",
  copies: "for the copies",
  tolerated_failures: "for failures",
};

export function PerNode({ answer }: { answer: SizeAnswer }) {
  const {
    reads_per_s_per_node: reads,
    transactions_per_s_per_node: transactions,
    goodput_transactions_per_s: goodput,
  } = answer;
  const parts = [
    reads === null ? null : `${formatCount(reads)}\u00a0reads/s`,
    transactions === null ? null : `${formatCount(transactions)} transactions/s`,
    transactions === null || !goodput
      ? null
      : `${shareText(goodput / transactions, 1, { counted: false })} of them in time`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  return (
    <p className="num" title={reads === null ? undefined : `${formatInteger(reads)}\u00a0reads/s`}>
      One node as measured: {parts.join(", ")}.
    </p>
  );
}
