// Renders the frame of a chart: title, controls, switch to the table of the same values, and downloads of both.
import { ActionIcon, Group, Menu } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useId, useState } from "react";
import { type CsvTable, saveCsv, saveFile } from "@/lib/csv";
import { IconDownload, IconTable } from "@/ui/icons";
import { pngOf } from "./exportImage";

type FigureProps = {
  figure: RefObject<HTMLElement | null>;
  title: string;
  note: string | undefined;
  /** Controls for this chart only, shown beside its title. */
  controls: ReactNode;
  /** Name of downloaded files without its ending. */
  stem: string;
  table: () => CsvTable;
  /** Returns the drawing as SVG text; null before it is drawn. */
  picture: () => string | null;
  children: (asTable: boolean) => ReactNode;
};

export function Figure({ figure, title, note, controls, stem, table, picture, children }: FigureProps) {
  const titleId = useId();
  const noteId = useId();
  const [asTable, setAsTable] = useState(false);
  const saveSvg = () => {
    const svg = picture();
    if (svg !== null) saveFile(`${stem}.svg`, new Blob([svg], { type: "image/svg+xml" }));
  };
  const png = useMutation({
    mutationFn: async () => {
      const svg = picture();
      if (svg !== null) saveFile(`${stem}.png`, await pngOf(svg));
    },
    networkMode: "always",
  });
  return (
    <figure
      ref={figure}
      style={{ minWidth: 0, breakInside: "avoid" }}
      aria-labelledby={titleId}
      aria-describedby={note ? noteId : undefined}
    >
      <Group component="figcaption" justify="space-between" align="flex-start" gap={8}>
        <div style={{ flex: "1 1 240px", minWidth: "0" }}>
          <h3 id={titleId}>{title}</h3>
          {note ? (
            <p id={noteId} className="dim small" style={{ lineHeight: "1.25rem" }}>
              {note}
            </p>
          ) : null}
        </div>
        <div className="row no-print" style={{ marginLeft: "auto", columnGap: 6 }}>
          {controls}
          <ActionIcon
            variant={asTable ? "light" : "subtle"}
            aria-label="View as table"
            title={asTable ? "View as chart" : "View as table"}
            aria-pressed={asTable}
            onClick={() => setAsTable((before) => !before)}
          >
            <IconTable />
          </ActionIcon>
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon aria-label="Download" title="Download">
                <IconDownload />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => saveCsv(`${stem}.csv`, table())}>CSV, exact values</Menu.Item>
              <Menu.Item onClick={() => png.mutate()} disabled={asTable}>
                PNG
              </Menu.Item>
              <Menu.Item onClick={saveSvg} disabled={asTable}>
                SVG
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </Group>
      {png.error === null ? null : (
        <p role="alert" className="small" style={{ marginTop: 8, color: "var(--fail-ink)" }}>
          {png.error.message}
        </p>
      )}
      {children(asTable)}
    </figure>
  );
}
