// Link to the source of a number: the row of a publication, or the run.
import type { ReactNode } from "react";
import { joinParts } from "@/lib/format";
import { PublicationLink, RunLink } from "@/ui/links";
import type { Source } from "./facts";

export function SourceLink({ source, children }: { source: Source; children?: ReactNode }) {
  switch (source.kind) {
    case "publication":
      return (
        <PublicationLink slug={source.slug} {...(source.row === null ? {} : { hash: source.row })} preload="intent">
          {children ?? joinParts([source.text, source.row], ", ")}
        </PublicationLink>
      );
    case "run":
      return (
        <RunLink id={source.runId} preload="intent">
          {children ?? source.text}
        </RunLink>
      );
    case "text":
      return source.url === null ? (
        <span>{children ?? source.text}</span>
      ) : (
        <a href={source.url} rel="noreferrer">
          {children ?? source.text}
        </a>
      );
  }
}
