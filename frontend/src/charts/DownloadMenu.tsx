// Renders the menu of a chart's download formats, and saves the files.
import { ActionIcon, Menu } from "@mantine/core";
import { type CsvTable, saveCsv, saveFile } from "@/lib/csv";
import { IconDownload } from "@/ui/icons";
import { pngOf } from "./exportImage";

type DownloadMenuProps = {
  /** File name without its ending. */
  stem: string;
  table: () => CsvTable;
  /** Returns the drawing as SVG text; null before it is drawn. */
  picture: () => string | null;
  /** The table is shown, so no picture can be downloaded. */
  withoutPicture: boolean;
  /** Called with the reason if the browser cannot make a PNG, and with null once it can. */
  onFailure: (reason: string | null) => void;
};

export function DownloadMenu({ stem, table, picture, withoutPicture, onFailure }: DownloadMenuProps) {
  const saveSvg = () => {
    const svg = picture();
    if (svg !== null) saveFile(`${stem}.svg`, new Blob([svg], { type: "image/svg+xml" }));
  };
  const savePng = async () => {
    const svg = picture();
    if (svg === null) return;
    try {
      onFailure(null);
      saveFile(`${stem}.png`, await pngOf(svg));
    } catch (error) {
      onFailure(error instanceof Error ? error.message : "The PNG could not be made. Download the SVG instead.");
    }
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label="Download" title="Download">
          <IconDownload />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => saveCsv(`${stem}.csv`, table())}>CSV, exact values</Menu.Item>
        <Menu.Item onClick={() => void savePng()} disabled={withoutPicture}>
          PNG
        </Menu.Item>
        <Menu.Item onClick={saveSvg} disabled={withoutPicture}>
          SVG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function DownloadFailure({ reason }: { reason: string | null }) {
  if (reason === null) return null;
  return (
    <p role="alert" className="small" style={{ marginTop: 8, color: "var(--fail-ink)" }}>
      {reason}
    </p>
  );
}
