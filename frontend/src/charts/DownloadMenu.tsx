// What a picture can be taken away as.
import { ActionIcon, Menu } from "@mantine/core";
import { IconDownload } from "@/ui/icons";

type DownloadMenuProps = {
  onCsv: () => void;
  onPng: () => void;
  onSvg: () => void;
  /** There is a table instead of a picture. */
  withoutPicture: boolean;
};

export function DownloadMenu({ onCsv, onPng, onSvg, withoutPicture }: DownloadMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Download" title="Download">
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
