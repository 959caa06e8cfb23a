// Dialog with the saved items, available on every page.
import { SavedList } from "@/entities/saved/SavedList";
import { Dialog } from "@/ui/Dialog";

export function SavedPlaces({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Saved">
      <SavedList onFollow={onClose} />
    </Dialog>
  );
}
