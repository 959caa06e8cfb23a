// Renders the button that saves or removes an item.
import { Button, Menu } from "@mantine/core";
import type { SavedItem } from "@/api/saved";
import { IconStar } from "@/ui/icons";
import { useSaved } from "./useSaved";

type SaveButtonProps = {
  item: SavedItem;
  /** Name of the item, if the page has several to save. */
  what?: string;
  quiet?: boolean;
};

export function SaveButton({ item, what = "", quiet = false }: SaveButtonProps) {
  const { isSaved, toggle, where, error } = useSaved();
  const saved = isSaved(item);
  return (
    <Button
      size={quiet ? "compact-sm" : "xs"}
      variant={quiet ? "subtle" : "default"}
      {...(quiet ? { color: "gray" } : {})}
      className="no-print"
      leftSection={<IconStar size={14} filled={saved} />}
      aria-pressed={saved}
      title={error === null ? where : `${error.message} Saved places are under the star at the top.`}
      onClick={() => toggle(item)}
    >
      {`${saved ? "Saved" : "Save"} ${what}`.trim()}
    </Button>
  );
}

export function SaveItem({ item }: Pick<SaveButtonProps, "item">) {
  const { isSaved, toggle } = useSaved();
  const saved = isSaved(item);
  return (
    <Menu.Item leftSection={<IconStar size={14} filled={saved} />} onClick={() => toggle(item)}>
      {saved ? "Remove from saved" : "Save"}
    </Menu.Item>
  );
}
