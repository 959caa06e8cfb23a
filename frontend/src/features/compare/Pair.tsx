// Comparison of one subject with the base: sentence, warning about unequal conditions, figures.
import type { Comparison, Gain, Pair as PairFound } from "@/api/comparisons";
import { Term } from "@/entities/glossary/Term";
import { plural } from "@/lib/format";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { IconCheck, IconCross } from "@/ui/icons";
import classes from "./ComparePage.module.css";
import { EffectText } from "./EffectText";
import { baseText, effectText, newText } from "./words";

/** `question`: question of the template, if it has its own. */
type PairProps = { comparison: Comparison; pair: PairFound; question?: string | undefined };

export function Pair({ comparison, pair, question }: PairProps) {
  const [base, subject] = [comparison.subjects[0], comparison.subjects[pair.new]];
  // The changed facts of two runs, otherwise the differing factors: both list possible causes.
  const causes = pair.changes_text ?? pair.factors_text;
  return (
    <section className="stack-12" aria-label={`${subject?.label} against ${base?.label}`}>
      <p className="muted wrap-anywhere">{question ?? `Is ${subject?.label} faster than ${base?.label}?`}</p>
      <h2
        className={`${comparison.answer === null ? "answer-title" : ""} ${classes["headline"]}`}
        data-verdict={pair.verdict}
      >
        {pair.headline}
      </h2>
      {pair.comparable ? null : <Reasons pair={pair} />}
      {pair.comparable && causes !== null ? <p className="measure muted">{causes}</p> : null}
      {pair.comparable ? (
        <Gains comparison={comparison} pair={pair} />
      ) : (
        <details>
          <summary>What each measured, not comparable</summary>
          <Gains comparison={comparison} pair={pair} />
          <Notes notes={pair.notes} />
        </details>
      )}
      {pair.facts_changed.length === 0 ? null : <Facts pair={pair} />}
      {pair.factors.length === 0 || pair.facts_changed.length > 0 ? null : (
        <details>
          <summary>
            {plural(pair.factors.length, "other factor")} that {pair.factors.length === 1 ? "differs" : "differ"}
          </summary>
          <p>{pair.factors.join(", ")}</p>
        </details>
      )}
      {pair.comparable ? <Notes notes={pair.notes} /> : null}
    </section>
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} className="dim">
      {note}
    </p>
  ));
}

/** Number of reasons shown before the rest is folded. */
const REASONS_AT_ONCE = 3;

function Reasons({ pair: { reasons, changes } }: { pair: PairFound }) {
  const count = reasons.length;
  return (
    <details className="panel" open={count <= REASONS_AT_ONCE}>
      <summary>
        {count === 1 ? "The condition that differs" : `The ${count} conditions that differ`}
        {changes.length === 0 ? "" : ", and what would make them equal"}
      </summary>
      <div className="tiles" role="note" aria-label="Why these cannot be compared">
        <div>
          <h3>Why no conclusion is drawn</h3>
          <SignedList Sign={IconCross} texts={reasons} />
        </div>
        {changes.length === 0 ? null : (
          <div>
            <h3>
              {plural(changes.length, "change")} of <Term id="conditions">conditions</Term> would make them comparable
            </h3>
            <SignedList Sign={IconCheck} texts={changes} />
          </div>
        )}
      </div>
    </details>
  );
}

const SignedList = ({ Sign, texts }: { Sign: typeof IconCheck; texts: readonly string[] }) => (
  <ul className="stack-6 plain-list">
    {texts.map((text) => (
      <li key={text} className="with-icon">
        <Sign size={13} /> <span>{text}</span>
      </li>
    ))}
  </ul>
);

const FACTS: Columns<PairFound["facts_changed"][number]> = [
  { header: "Fact", accessorKey: "name", meta: ROW_HEADER },
  { header: "Base", accessorFn: ({ before }) => before || "not stated" },
  { header: "New", accessorFn: ({ after }) => after || "not stated" },
];

function Facts({ pair }: { pair: PairFound }) {
  return (
    <details>
      <summary>{plural(pair.facts_changed.length, "fact")} of host, plan and tool that changed</summary>
      <DataTable label="What changed" plain="cards" columns={FACTS} rows={pair.facts_changed} />
    </details>
  );
}

function Gains({ comparison, pair }: PairProps) {
  const columns: Columns<Gain> = [
    { header: "Figure", accessorKey: "label", meta: ROW_HEADER },
    { header: "Base", accessorFn: baseText, meta: RIGHT },
    { header: "New", accessorFn: newText, meta: RIGHT },
    {
      header: "New ÷ base",
      accessorFn: ({ ratio_text }) => (ratio_text === "" ? "not known" : ratio_text),
      meta: { ...RIGHT, cell: () => ({ "data-faint": !pair.comparable || undefined }) },
    },
    {
      header: "Shown",
      accessorFn: (gain) =>
        pair.comparable ? (
          <EffectText effect={gain.effect} title={gain.why ?? undefined} text={effectText(gain)} />
        ) : (
          <span className="dim">not comparable</span>
        ),
    },
  ];
  return (
    <DataTable
      label={`Gains of ${comparison.subjects[pair.new]?.label}`}
      plain="cards"
      columns={columns}
      rows={pair.gains}
    />
  );
}
