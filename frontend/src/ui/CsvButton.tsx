// Renders the CSV download button of a table.
import { Button } from "@mantine/core";
import { IconDownload } from "./icons";

export function CsvButton({ onSave }: { onSave: () => void }) {
  return (
    <Button className="no-print" size="xs" leftSection={<IconDownload size={14} />} onClick={onSave}>
      CSV
    </Button>
  );
}
