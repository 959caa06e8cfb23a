// What has been published about drives and databases, and how well each document holds up.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type PublicationSummary, publicationListQuery } from "@/api/publications";
import { SeverityBadge } from "@/entities/finding/Severity";
import { formatDay } from "@/lib/format";
import { plural } from "@/lib/words";
import { QueryView } from "@/ui/QueryView";
import { Empty } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import classes from "./PublicationList.module.css";
import { kindName } from "./words";

export function PublicationList() {
  usePageTitle("Publications");
  const publications = useQuery(publicationListQuery());
  const documents = publications.data?.publications;
  return (
    <div className="page">
      <header>
        <h1>Publications</h1>
        <p>
          Benchmarks that others have published, number by number: what was printed, what its rounding allows, and
          whether the numbers agree with each other.
        </p>
      </header>
      {documents === undefined ? (
        <QueryView query={publications} what="the publications" lines={5} height={72} />
      ) : documents.length === 0 ? (
        <Empty title="No publication is on record">
          <p>The reference data comes with the product and is loaded when it starts.</p>
        </Empty>
      ) : (
        <ul className={`stack-12 plain-list ${classes["list"]}`} aria-label="Publications">
          {[...documents].sort(byWeight).map((document) => (
            <Item key={document.slug} document={document} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** What was found against most comes first. */
const byWeight = (a: PublicationSummary, b: PublicationSummary): number =>
  b.high_count - a.high_count || b.finding_count - a.finding_count || b.claim_count - a.claim_count;

function Item({ document }: { document: PublicationSummary }) {
  return (
    <li className="panel">
      <div className={classes["what"]}>
        <Link to="/publications/$slug" params={{ slug: document.slug }} className={classes["title"]} preload="intent">
          {document.title}
        </Link>
        <p className="dim">
          {[document.publisher, kindName(document.kind), dayAsPrinted(document.date_as_printed)].join(" · ")}
        </p>
        <p>{contentSentence(document)}</p>
      </div>
      <div className={classes["counts"]}>
        {document.high_count === 0 ? null : <SeverityBadge severity="high" count={document.high_count} />}
        <span className="num">
          {document.finding_count === 0
            ? "no finding against it"
            : `${plural(document.finding_count, "finding")} against it`}
        </span>
      </div>
    </li>
  );
}

/** A day of digits alone is spelt out; other dates stay as they are printed. */
const dayAsPrinted = (date: string | null): string =>
  date === null ? "no date printed" : /^\d{4}-\d\d-\d\d$/.test(date) ? formatDay(date) : date;

const contentSentence = ({ claim_count, row_count }: PublicationSummary): string =>
  claim_count === 0
    ? "Facts and prices; no measured number."
    : `${plural(claim_count, "number")} in ${plural(row_count, "row")}, each with unit, conditions and source.`;
