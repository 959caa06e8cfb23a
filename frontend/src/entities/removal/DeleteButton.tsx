// Renders the button that deletes a run or an upload permanently, after a dialog about its consequences.
import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sessionQuery } from "@/api/queries";
import { remove, type Subject } from "@/api/removal";
import { ConfirmDialog } from "@/ui/ConfirmDialog";

const DELETED = {
  run: "Its measurements, verdicts, findings and ratings go at once and for good. An upload whose only run it is goes too, with its files.",
  upload:
    "Its files go, and the runs that were read from it alone, with their verdicts and ratings. Nobody can bring them back.",
} as const;

const RETAINED = {
  run: "Its id, the time of deletion and whether it was published stay: an old link then says that it was deleted.",
  upload: "Ids and the time of deletion stay. Runs that another upload holds too stay whole.",
} as const;

type Deletion = { subject: Subject; title: string; onDeleted: () => void };

/** Returns whether the user may delete the subject, a function that opens the confirmation dialog, and the dialog. */
export function useDeletion({ subject, title, onDeleted }: Deletion) {
  const [asking, setAsking] = useState(false);
  const session = useQuery(sessionQuery()).data;
  const deletion = useMutation({
    mutationFn: (_: undefined, { client }) => remove(client, subject),
    onSuccess: () => {
      setAsking(false);
      onDeleted();
    },
  });
  const dialog = (
    <ConfirmDialog
      opened={asking}
      onClose={() => setAsking(false)}
      title={`Delete this ${subject.kind}?`}
      mutation={deletion}
      what="Deleting"
      confirm="Delete for good"
    >
      <p>
        <strong>{title}</strong>
      </p>
      <p>{DELETED[subject.kind]}</p>
      <p className="dim">{RETAINED[subject.kind]}</p>
    </ConfirmDialog>
  );
  return { may: session?.capabilities.includes("delete") === true, ask: () => setAsking(true), dialog };
}

export function DeleteButton(props: Deletion) {
  const { may, ask, dialog } = useDeletion(props);
  if (!may) return null;
  return (
    <>
      <Button size="xs" className="no-print" onClick={ask}>
        Delete
      </Button>
      {dialog}
    </>
  );
}
