// Comparison of two networks, phase by phase: findings of a report, and the link share that its rates need.
import { useQuery } from "@tanstack/react-query";
import { publicationQuery } from "@/api/publications";
import { formatCount } from "@/lib/format";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { PublicationLink } from "@/ui/links";
import { QueryView } from "@/ui/states";
import classes from "./ComparePage.module.css";
import { fillText, LINKS_BITS_PER_S, networksSentence, type Phase, phasesOf } from "./networks";

const DOCUMENT = "demartek-fraud-r730xd-2015";

const COLUMNS: Columns<Phase> = [
  { header: "Phase", accessorKey: "label", meta: { isRowHeader: true } },
  { header: "Reads", accessorFn: ({ readsPerS }) => `${formatCount(readsPerS)}/s`, meta: RIGHT },
  { header: "Updates", accessorFn: ({ updatesPerS }) => `${formatCount(updatesPerS)}/s`, meta: RIGHT },
  {
    header: "Sent at least",
    accessorFn: ({ bitsPerS }) => `${(Math.floor(bitsPerS / 1e8) / 10).toFixed(1)}\u00a0Gbit/s`,
    meta: RIGHT,
  },
  ...LINKS_BITS_PER_S.map((link) => ({
    header: `Of ${link / 1e9}\u00a0GbE`,
    accessorFn: ({ bitsPerS }: Phase) => fillText(bitsPerS, link),
    meta: RIGHT,
  })),
];

export function Networks() {
  const publication = useQuery(publicationQuery(DOCUMENT));
  if (publication.data === undefined)
    return <QueryView query={publication} what="the comparison" lines={4} height={96} />;
  const phases = phasesOf(publication.data);
  return (
    <>
      <header className="stack-12">
        <p className="muted wrap-anywhere">Does a faster network help?</p>
        <h1 className={`answer-title ${classes["headline"]}`}>{networksSentence(phases)}</h1>
        <p className="measure muted">
          The report says that 10 and 40&nbsp;GbE do not differ significantly in any phase, and elsewhere that
          40&nbsp;GbE lowers latency. Its charts are pictures without figures, so neither can be recomputed.
        </p>
        <p>
          <PublicationLink slug={DOCUMENT} hash="findings">
            What the checks found in this report
          </PublicationLink>
        </p>
      </header>
      <section className="stack-12" aria-label="Load of the network by phase">
        <h2>By phase, what one server sends at least</h2>
        <DataTable
          label="Load of the network by phase"
          plain="cards"
          columns={COLUMNS}
          rows={phases}
          rowId={({ row }) => row}
        />
        <p className="dim">
          Objects of 900 bytes that are read, divided evenly among four servers. Headers, updates and copies between the
          servers come on top.
        </p>
      </section>
    </>
  );
}
