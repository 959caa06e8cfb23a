// Which result files are read: tool, versions, kind of file, what of it is read and what is not.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormatTool, formatsQuery } from "@/api/formats";
import { Command } from "@/ui/Command";
import { QueryView } from "@/ui/QueryView";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { usePageTitle } from "@/ui/usePageTitle";
import classes from "./FormatsPage.module.css";

export function FormatsPage() {
  usePageTitle("Formats");
  const formats = useQuery(formatsQuery());
  return (
    <div className={classes["page"]}>
      <header>
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

function Formats({ tools }: { tools: readonly FormatTool[] }) {
  return (
    <ScrollRegion label="Tools and their files" cards>
      <table className={`data ${classes["table"]}`}>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Versions</th>
            <th scope="col">File</th>
            <th scope="col">Read</th>
            <th scope="col">Not read</th>
          </tr>
        </thead>
        {tools.map((tool) => (
          <tbody key={tool.tool}>
            {tool.forms.map((form, index) => (
              <tr key={`${form.versions} ${form.kind}`}>
                {index === 0 ? (
                  <th scope="rowgroup" rowSpan={tool.forms.length}>
                    {tool.title}
                  </th>
                ) : null}
                <td>{form.versions}</td>
                <td>
                  <Words text={form.kind} />
                </td>
                <td>
                  <Words text={form.reads} />
                </td>
                <td className="dim">
                  <Words text={form.leaves} />
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </ScrollRegion>
  );
}

/** Words in backquotes are commands and file contents. */
function Words({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    // The parts of a fixed sentence never move.
    // biome-ignore lint/suspicious/noArrayIndexKey: static text
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
