// Dialog with the keyboard shortcuts.
import { Kbd, Switch } from "@mantine/core";
import { Dialog } from "@/ui/Dialog";
import { PAGES } from "./pages";

type ShortcutsHelpProps = {
  opened: boolean;
  onClose: () => void;
  singleKeys: boolean;
  onSingleKeys: (on: boolean) => void;
};

const ROWS: readonly { keys: readonly string[]; what: string }[] = [
  { keys: ["Ctrl", "K"], what: "Find runs, drives, publications, pages and actions (⌘ K on a Mac)" },
  { keys: ["?"], what: "This list" },
  { keys: ["g", "h"], what: "Go to the first page" },
  ...PAGES.map((page) => ({ keys: ["g", page.key], what: `Go to ${page.label}` })),
  { keys: ["/"], what: "Go to the filter of a list, or to the first field of a question" },
  { keys: ["t"], what: "Switch between light and dark" },
  { keys: ["←", "→"], what: "In a chart: read the values before and after" },
  { keys: ["Home", "End"], what: "In a chart: first and last value" },
];

export function ShortcutsHelp({ opened, onClose, singleKeys, onSingleKeys }: ShortcutsHelpProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Keyboard shortcuts">
      <dl className="stack-8 facts">
        {ROWS.map((row) => (
          <div key={row.what}>
            <dt className="icon-text">
              {row.keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{row.what}</dd>
          </div>
        ))}
      </dl>
      <Switch
        mt="md"
        label="Shortcuts of a single key"
        checked={singleKeys}
        onChange={(event) => onSingleKeys(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
