// Button that ends a run early, after a confirmation.
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { requestStop } from "@/api/queries";
import type { RunDetail } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { IconStop } from "@/ui/icons";

export function StopButton({ run }: { run: RunDetail }) {
  const [asking, setAsking] = useState(false);
  const stop = useMutation({
    mutationFn: (_: undefined, { client }) => requestStop(client, run.run_id),
    onSuccess: () => setAsking(false),
  });
  const stopping = run.stop_requested_at !== null;
  return (
    <>
      <Button size="xs" leftSection={<IconStop size={14} />} disabled={stopping} onClick={() => setAsking(true)}>
        {stopping ? "Stopping" : "Stop"}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Stop this run?"
        mutation={stop}
        what="Stopping"
        confirm="Stop the run"
        keep="Keep running"
        harmless
      >
        <p>
          The agent stops issuing operations within a second or two and sends what it has measured. What is measured
          stays and is judged; the run cannot be continued.
        </p>
      </ConfirmDialog>
    </>
  );
}
