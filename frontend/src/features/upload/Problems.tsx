// Problems of a file, most severe first, each with its line and the text around it.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FileProblem } from "@/api/types";
import { type FileOfLines, linesQuery } from "@/api/uploads";
import { formatInteger, plural, sentence } from "@/lib/format";
import { type Columns, DataTable, ROW_HEADER } from "@/ui/DataTable";
import { IconCross, IconInfo, IconWarning } from "@/ui/icons";

const LEVELS = {
  error: { word: "Error", Icon: IconCross, color: "var(--fail-fill)" },
  warning: { word: "Warning", Icon: IconWarning, color: "var(--unsure-fill)" },
  note: { word: "Note", Icon: IconInfo, color: "var(--ink-3)" },
} as const;

/** Problems listed before the rest is folded, and problems whose text is fetched at once, at one file access each. */
const LISTED_AT_FIRST = 8;
const SHOWN_AT_FIRST = 3;

type ProblemsProps = {
  problems: readonly FileProblem[];
  /** File that contains the text; null if the problem belongs to no single file. */
  file: (FileOfLines & { readonly name: string }) | null;
};

export function Problems({ problems, file }: ProblemsProps) {
  const [all, setAll] = useState(false);
  if (problems.length === 0) return null;
  const listed = all ? problems : problems.slice(0, LISTED_AT_FIRST);
  return (
    <div className="stack-8 items-start">
      <ul className="stack-8 plain-list" style={{ width: "100%" }}>
        {listed.map((problem, index) => (
          <ProblemLine
            key={`${problem.severity} ${problem.line} ${problem.reason}`}
            problem={problem}
            file={file}
            open={index < SHOWN_AT_FIRST && problem.severity !== "note"}
          />
        ))}
      </ul>
      {listed.length < problems.length ? (
        <Button size="xs" onClick={() => setAll(true)}>
          Show {plural(problems.length - listed.length, "more problem")}
        </Button>
      ) : null}
    </div>
  );
}

function ProblemLine({ problem, file, open }: { problem: FileProblem; file: ProblemsProps["file"]; open: boolean }) {
  const [shown, setShown] = useState(open);
  const { word, Icon, color } = LEVELS[problem.severity];
  const { line } = problem;
  return (
    <li className="with-icon">
      <Icon size={14} color={color} />
      <div className="stack-4 wrap-anywhere">
        <p>
          <strong>{word}</strong>
          {line === null ? null : <span className="num">, line {formatInteger(line)}</span>}: {sentence(problem.reason)}
        </p>
        {line === null || file === null ? null : shown ? (
          <SourceLines file={file} name={file.name} line={line} />
        ) : (
          <Button
            className="self-start"
            size="compact-xs"
            aria-label={`Show the text around line ${line}`}
            onClick={() => setShown(true)}
          >
            Show the text
          </Button>
        )}
      </div>
    </li>
  );
}

function SourceLines({ file, name, line }: { file: FileOfLines; name: string; line: number }) {
  const query = useQuery({ ...linesQuery(file, line), retry: 1 });
  if (query.data === undefined) {
    if (query.error === null) return <p className="dim">Fetching the text around line {formatInteger(line)}</p>;
    return <p className="dim">The text around this line cannot be shown: {query.error.message}</p>;
  }
  const { lines } = query.data;
  if (lines.length === 0) return <p className="dim">The file has no text at this line.</p>;
  const columns: Columns<(typeof lines)[number]> = [
    {
      header: "Line",
      accessorFn: ({ number }) => (
        <>
          {number === line ? <span className="visually-hidden">the line meant: </span> : null}
          {formatInteger(number)}
        </>
      ),
      meta: { ...ROW_HEADER, width: "10ch" },
    },
    {
      header: "Text",
      accessorFn: ({ text, truncated }) => (
        <>
          <code style={{ whiteSpace: "pre" }}>{text}</code>
          {truncated ? <span className="dim"> … the line goes on</span> : null}
        </>
      ),
    },
  ];
  return (
    <DataTable
      label={`${name}, lines around ${line}`}
      plain
      columns={columns}
      rows={lines}
      rowAttributes={({ number }) => (number === line ? { className: "caution strong" } : {})}
    />
  );
}
