// List of publications about drives and databases, with the severity of their findings.
import { useQuery } from "@tanstack/react-query";
import { type PublicationSummary, publicationListQuery } from "@/api/publications";
import { SeverityBadge } from "@/entities/finding/Severity";
import { plural, sentence } from "@/lib/format";
import { PublicationLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { Empty, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { dateName, kindName } from "./words";

export function PublicationList() {
  usePageTitle("Publications");
  const publications = useQuery(publicationListQuery());
  const documents = publications.data?.publications;
  const measured = (documents ?? []).filter(({ claim_count }) => claim_count > 0);
  const others = (documents ?? []).filter(({ claim_count }) => claim_count === 0);
  return (
    <div className="stack-16">
      <header className="lead">
        <h1>{documents === undefined || measured.length === 0 ? "Publications" : answerText(measured)}</h1>
        {/* Appears together with the answer in the heading above, so that the text does not move. */}
        {documents === undefined ? null : (
          <p>Their numbers are checked against each other. Open a document to see which of them hold.</p>
        )}
      </header>
      {documents === undefined ? (
        <QueryView query={publications} what="the publications" lines={5} height={72} />
      ) : documents.length === 0 ? (
        <Empty title="No publication is on record">
          <p>The reference data comes with the product and is loaded when it starts.</p>
        </Empty>
      ) : (
        <ul className="plain-list ruled" aria-label="Publications">
          {[...measured].sort(byWeight).map((document) => (
            <Item key={document.slug} document={document} />
          ))}
        </ul>
      )}
      {others.length === 0 ? null : (
        <Section title="Facts and prices only" className="stack-12">
          <ul className="plain-list ruled" aria-label="Facts and prices only">
            {others.map((document) => (
              <li key={document.slug}>
                <About document={document} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

/** Returns the result of the list: `Serious findings against 5 of 5 published benchmarks`. */
function answerText(measured: readonly PublicationSummary[]): string {
  const serious = measured.filter(({ high_count }) => high_count > 0).length;
  return `Serious findings against ${serious} of ${plural(measured.length, "published benchmark")}`;
}

/** Compares publications for sorting: most severe findings first. */
const byWeight = (a: PublicationSummary, b: PublicationSummary): number =>
  b.high_count - a.high_count || b.finding_count - a.finding_count || b.claim_count - a.claim_count;

function Item({ document }: { document: PublicationSummary }) {
  const { claim_count, finding_count, high_count, high_kinds } = document;
  return (
    <li className="wrap between">
      <div className="stack-4" style={{ flex: "1 1 480px", maxWidth: "88ch" }}>
        <About document={document} />
        {high_kinds.length === 0 ? null : <p>{sentence(high_kinds.join(" · "))}</p>}
      </div>
      <div className="row">
        {high_count === 0 ? null : <SeverityBadge severity="high" count={high_count} />}
        <span className="num">{finding_count === 0 ? "No finding" : plural(finding_count, "finding")}</span>
        <span className="num dim">{plural(claim_count, "number")}</span>
      </div>
    </li>
  );
}

function About({ document }: { document: PublicationSummary }) {
  return (
    <div>
      <PublicationLink slug={document.slug} className="strong medium wrap-anywhere" preload="intent">
        {document.title}
      </PublicationLink>
      <p className="dim">
        {[document.publisher, kindName(document.kind), dateName(document.date_as_printed)].join(" · ")}
      </p>
    </div>
  );
}
