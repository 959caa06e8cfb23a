// What has been published about drives and databases, and how well each document holds up.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type PublicationSummary, publicationListQuery } from "@/api/publications";
import { SeverityBadge } from "@/entities/finding/Severity";
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
          {documents.map((document) => (
            <Item key={document.slug} document={document} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Item({ document }: { document: PublicationSummary }) {
  return (
    <li className="panel">
      <div className={classes["what"]}>
        <Link to="/publications/$slug" params={{ slug: document.slug }} className={classes["title"]} preload="intent">
          {document.title}
        </Link>
        <p className="dim">
          {[document.publisher, kindName(document.kind), document.date_as_printed ?? "no date printed"].join(" · ")}
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

const contentSentence = ({ claim_count, row_count }: PublicationSummary): string =>
  `${plural(claim_count, "number")} in ${plural(row_count, "row")}, each with unit, conditions and source.`;
