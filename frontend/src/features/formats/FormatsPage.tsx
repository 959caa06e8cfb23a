// Page of the supported result files: tool, versions, kind of file, imported and ignored content.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormatTool, formatsQuery } from "@/api/formats";
import { Backquoted } from "@/ui/Backquoted";
import { Command } from "@/ui/Command";
import { type Columns, DataTable, ROW_HEADER } from "@/ui/DataTable";
import { QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import classes from "./FormatsPage.module.css";

export function FormatsPage() {
  usePageTitle("Formats");
  const formats = useQuery(formatsQuery());
  return (
    <div className={`stack-16 ${classes["page"]}`}>
      <header className="stack-8" style={{ maxWidth: "88ch" }}>
        <h1>Result files that can be read</h1>
        <p>
          The content decides, never the name. gzip, zstd, zip and tar are opened, and copies may have colours, prompts
          and fences. <Link to="/upload">Send files</Link>, or look into one without sending it:
        </p>
        <Command text="tailroom inspect FILE…" />
      </header>
      {formats.data !== undefined ? (
        <Formats tools={formats.data.tools} />
      ) : (
        <QueryView query={formats} what="the formats" lines={8} height={48} />
      )}
    </div>
  );
}

type FormatRow = FormatTool["forms"][number] & { tool: string };

const COLUMNS: Columns<FormatRow> = [
  { header: "Tool", accessorKey: "tool", meta: { ...ROW_HEADER, spansGroup: true } },
  { header: "Versions", accessorKey: "versions" },
  { header: "File", accessorFn: ({ kind }) => <Backquoted text={kind} /> },
  { header: "Read", accessorFn: ({ reads }) => <Backquoted text={reads} /> },
  { header: "Not read", accessorFn: ({ leaves }) => <Backquoted text={leaves} />, meta: { className: "dim" } },
];

function Formats({ tools }: { tools: readonly FormatTool[] }) {
  const rows = tools.flatMap(({ title, forms }) => forms.map((form) => ({ ...form, tool: title })));
  return (
    <DataTable
      label="Tools and their files"
      plain="cards"
      className={classes["table"]}
      columns={COLUMNS}
      rows={rows}
      groupOf={({ tool }) => tool}
    />
  );
}
