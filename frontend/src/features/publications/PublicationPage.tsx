// Page of a published document: summary of the audit, findings with their figures, and every printed number with its
// findings.
import { Group, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { publishedSubjectsQuery } from "@/api/comparisons";
import { driveSearchQuery } from "@/api/drivePage";
import { type Publication, publicationQuery } from "@/api/publications";
import { CompareLink } from "@/entities/comparison/CompareLink";
import { SeverityBadge } from "@/entities/finding/Severity";
import { Fact, Facts } from "@/entities/verdict/VerdictFacts";
import { plural, sentence } from "@/lib/format";
import { DriveLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { Empty, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { marking, type PublicationChange, type PublicationSearch } from "./address";
import { ClaimTable, recomputedByClaim, type TableContext } from "./ClaimTable";
import { Findings } from "./Findings";
import { auditSentence, countSeverities, findingsByRow, rowsOf, sortFindings } from "./findings";
import { PlaceLink } from "./PlaceLink";
import { conditionName, conditionText, dateName, kindName } from "./words";

type PublicationPageProps = {
  slug: string;
  view: PublicationSearch;
  /** Id of the row, finding or table in the fragment of the address; null without one. */
  target: string | null;
  onView: (change: PublicationChange) => void;
};

export function PublicationPage({ slug, view, target, onView }: PublicationPageProps) {
  const publication = useQuery(publicationQuery(slug));
  const document = publication.data;
  usePageTitle(document?.title ?? null);
  useScrollToTarget(target, document !== undefined);

  if (document === undefined) {
    const missing = (
      <Empty page title="There is no such publication">
        <p>No published document is on record as “{slug}”. The link may be incomplete.</p>
        <Link to="/publications">Show publications</Link>
      </Empty>
    );
    return <QueryView query={publication} what="the publication" lines={4} height={96} missing={missing} />;
  }
  return <Page document={document} view={view} target={target} onView={onView} />;
}

/** Scrolls to the target once the data is rendered: links from other pages arrive before. */
function useScrollToTarget(target: string | null, ready: boolean): void {
  useEffect(() => {
    if (!ready || target === null) return;
    const place = window.document.getElementById(target);
    if (place === null) return;
    place.scrollIntoView({ block: place.id.startsWith("table-") ? "start" : "center" });
    place.focus({ preventScroll: true });
  }, [target, ready]);
}

const MOST_GRAVE = 5;

/** Key of the condition that summarises the document in one line. */
const SUMMARY_KEY = "in_short";

type PageProps = { document: Publication } & Omit<PublicationPageProps, "slug">;

function Page(props: PageProps) {
  const { document } = props;
  const gist = document.conditions[SUMMARY_KEY];
  return (
    <div className="stack-16">
      <header className="stack-4">
        <h1 className="wrap-anywhere" style={{ fontSize: "1.25rem", lineHeight: "1.75rem" }}>
          {document.title}
        </h1>
        <p className="dim">
          {[document.publisher, kindName(document.kind), dateName(document.date_as_printed)].join(" · ")}
          {document.url === null ? null : (
            <>
              {" · "}
              <a href={document.url} rel="noreferrer">
                the document
              </a>
            </>
          )}
        </p>
        {typeof gist === "string" ? (
          <p className="medium" style={{ maxWidth: "96ch" }}>
            {gist}
          </p>
        ) : null}
        <Configurations slug={document.slug} />
      </header>
      {document.tables.length === 0 ? <FactsOnly specs={document.specs} /> : <Audit {...props} />}
    </div>
  );
}

function Audit({ document, view, target, onView }: PageProps) {
  const { tables, findings } = document;
  // The limit covers all drives with a page, a few hundred.
  const drives = useQuery(driveSearchQuery("", 1000));
  const chosen = findings.find((finding) => finding.id === view.finding);
  const claims = tables.reduce((sum, table) => sum + table.rows.reduce((all, row) => all + row.claims.length, 0), 0);
  const context: TableContext = {
    slug: document.slug,
    view,
    target,
    byRow: findingsByRow(findings, tables),
    marked: new Set(chosen?.claim_keys ?? []),
    drives: new Set((drives.data?.drives ?? []).map((drive) => drive.slug)),
    recomputed: recomputedByClaim(document.recomputed),
  };

  return (
    <>
      <div className="halves">
        <section className="stack-12 panel" aria-label="Do its numbers hold up?">
          <p className="dim">Do its numbers hold up?</p>
          <h2 className="answer-title">{auditSentence(findings)}.</h2>
          <ul className="plain-list wrap" aria-label="Findings by severity">
            {countSeverities(findings).map(({ severity, count }) => (
              <li key={severity}>
                <PlaceLink
                  slug={document.slug}
                  view={{ ...view, severity: severity as NonNullable<PublicationSearch["severity"]> }}
                  hash="findings"
                >
                  <SeverityBadge severity={severity} count={count} />
                </PlaceLink>
              </li>
            ))}
          </ul>
          <ul className="stack-8 plain-list">
            {sortFindings(findings)
              .filter((finding) => finding.severity === "high")
              .slice(0, MOST_GRAVE)
              .map((finding) => (
                <li key={finding.id} style={{ paddingLeft: 12, borderLeft: "3px solid var(--fail-fill)" }}>
                  {finding.statement}{" "}
                  <PlaceLink
                    slug={document.slug}
                    view={marking(view, finding.id)}
                    hash={`finding-${finding.id}`}
                    aria-label={`Figures and rows of ${finding.check}: ${finding.kind}`}
                  >
                    {finding.check}
                  </PlaceLink>
                </li>
              ))}
          </ul>
          <p className="dim">
            {plural(claims, "number")} in {plural(tables.length, "table")}. Numbers, units, conditions and citation are
            on record; the text is not.
          </p>
        </section>
        <Conditions document={document} />
      </div>
      <Findings slug={document.slug} findings={findings} tables={tables} view={view} onView={onView} />
      <section className="stack-16" aria-labelledby="numbers-title">
        <Group justify="space-between" gap="8px 24px">
          <h2 id="numbers-title">Every number</h2>
          <Switch
            className="no-print"
            size="xs"
            label="show what rounding leaves"
            checked={view.ends === "shown"}
            onChange={(event) => onView({ ends: event.currentTarget.checked ? "shown" : undefined })}
          />
        </Group>
        <ul className="plain-list wrap small no-print" aria-label="Tables">
          {tables.map((table) => (
            <li key={table.id}>
              <PlaceLink slug={document.slug} view={view} hash={`table-${table.id}`}>
                {table.title}
              </PlaceLink>
            </li>
          ))}
        </ul>
        {chosen === undefined ? null : (
          <div className="notice wrap between no-print" style={MARKED} role="status">
            <p>
              <SeverityBadge severity={chosen.severity} /> {chosen.check}: its numbers are marked in{" "}
              {plural(rowsOf(chosen, tables).length, "row")}.
            </p>
            <Group align="stretch" gap="8px 16px">
              <PlaceLink slug={document.slug} view={view} hash={`finding-${chosen.id}`}>
                Back to the finding
              </PlaceLink>
              <PlaceLink slug={document.slug} view={marking(view, null)} {...(target === null ? {} : { hash: target })}>
                Unmark
              </PlaceLink>
            </Group>
          </div>
        )}
        {tables.map((table) => (
          <ClaimTable key={table.id} table={table} context={context} />
        ))}
      </section>
    </>
  );
}

/** Shows the drives about which a document without measurements states facts. */
const FactsOnly = ({ specs }: { specs: Publication["specs"] }) => (
  <section className="stack-12 panel" aria-label="What it states">
    <h2 className="answer-title">It states facts and prices, no measurement.</h2>
    <p>
      They stand on the pages of these drives, with this document as their source, and its prices among{" "}
      <Link to="/prices">all prices</Link>.
    </p>
    <ul>
      {specs.map(({ slug, vendor, name }) => (
        <li key={slug}>
          <DriveLink slug={slug}>{`${vendor} ${name}`}</DriveLink>
        </li>
      ))}
    </ul>
  </section>
);

/** While the rows of a finding are marked, the way back to it stays in sight. */
const MARKED = {
  position: "sticky",
  top: "calc(var(--header-height) + 8px)",
  zIndex: 20,
  background: "var(--raised)",
  border: "1px solid var(--accent)",
} as const;

const FIRST = ["tool", "tool_version", "metric_class", "configuration_new", "configuration_old"];

function Conditions({ document }: { document: Publication }) {
  const { [SUMMARY_KEY]: _, ...stated } = document.conditions;
  const conditions = [...new Set([...FIRST, ...Object.keys(stated)])].flatMap((key) => {
    const text = conditionText(key, stated[key]);
    return text === null ? [] : [{ name: conditionName(key), text }];
  });
  return (
    <Section title="How it was measured" className="stack-8 panel">
      <Facts>
        {conditions.map(({ name, text }) => (
          <Fact key={name} name={name}>
            {text}
          </Fact>
        ))}
      </Facts>
      {document.not_disclosed.length === 0 ? null : (
        <div>
          <h3 className="small">It does not disclose</h3>
          <ul className="bullets" style={{ columns: "240px", columnGap: 40 }}>
            {document.not_disclosed.map((fact) => (
              <li key={fact}>{sentence(fact)}</li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
}

export function Configurations({ slug }: { slug: string }) {
  const published = useQuery(publishedSubjectsQuery());
  const own = (published.data?.subjects ?? []).filter((subject) => subject.publication_slug === slug);
  if (own.length === 0) return null;
  return (
    <details className="no-print">
      <summary>Compare its {plural(own.length, "configuration")}</summary>
      <ul>
        {own.map((subject) => (
          <li key={subject.subject}>
            {subject.label} <CompareLink subject={subject.subject} name={subject.label} />
          </li>
        ))}
      </ul>
    </details>
  );
}
