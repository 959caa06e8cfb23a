// Text of a file around a line, as evidence of a problem.
import { useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { type FileOfLines, linesQuery } from "@/api/uploads";
import { formatInteger } from "@/lib/format";
import { ScrollRegion } from "@/ui/ScrollRegion";
import classes from "./Problems.module.css";

export function SourceLines({ file, name, line }: { file: FileOfLines; name: string; line: number }) {
  const query = useQuery({ ...linesQuery(file, line), retry: 1 });
  if (query.data === undefined) {
    if (query.error === null) return <p className="dim">Fetching the text around line {formatInteger(line)}</p>;
    return <p className="dim">The text around this line cannot be shown: {query.error.message}</p>;
  }
  const { lines } = query.data;
  if (lines.length === 0) return <p className="dim">The file has no text at this line.</p>;
  return (
    <ScrollRegion label={`${name}, lines around ${line}`}>
      <ol className={classes["source"]} style={{ "--digits": formatInteger(query.data.last).length } as CSSProperties}>
        {lines.map((row) => (
          <li key={row.number} data-wrong={row.number === line || undefined}>
            <span className="dim num" style={{ textAlign: "right" }}>
              {row.number === line ? (
                <>
                  <span aria-hidden="true">▸ </span>
                  <span className="visually-hidden">the line meant: </span>
                </>
              ) : null}
              {formatInteger(row.number)}
            </span>
            <code>
              {row.text}
              {row.truncated ? <span className="dim"> … the line goes on</span> : null}
            </code>
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}
