// Link to the source of a number: the row of a publication, or the run.
import type { ReactNode } from "react";
import { PublicationLink, RunLink } from "@/ui/links";
import type { Source } from "./facts";

export function SourceLink({ source, children }: { source: Source; children?: ReactNode }) {
  if (source.kind === "publication") {
    return (
      <PublicationLink slug={source.slug} {...(source.row === null ? {} : { hash: source.row })} preload="intent">
        {children ?? (
          <>
            {source.text}
            {source.row === null ? "" : `, ${source.row}`}
          </>
        )}
      </PublicationLink>
    );
  }
  if (source.kind === "run") {
    return (
      <RunLink id={source.runId} preload="intent">
        {children ?? source.text}
      </RunLink>
    );
  }
  if (source.url !== null)
    return (
      <a href={source.url} rel="noreferrer">
        {children ?? source.text}
      </a>
    );
  return <span>{children ?? source.text}</span>;
}
