// Renders the menu of a chart's download formats.
import { ActionIcon, Menu } from "@mantine/core";
import { IconDownload } from "@/ui/icons";

type DownloadMenuProps = {
  onCsv: () => void;
  onPng: () => void;
  onSvg: () => void;
  /** The table is shown, so no picture can be downloaded. */
  withoutPicture: boolean;
};

export function DownloadMenu({ onCsv, onPng, onSvg, withoutPicture }: DownloadMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label="Download" title="Download">
          <IconDownload />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onCsv}>CSV, exact values</Menu.Item>
        <Menu.Item onClick={onPng} disabled={withoutPicture}>
          PNG
        </Menu.Item>
        <Menu.Item onClick={onSvg} disabled={withoutPicture}>
          SVG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
