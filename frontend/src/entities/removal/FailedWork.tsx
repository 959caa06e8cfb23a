// Renders a notice about work that failed repeatedly, with a retry button.
import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sessionQuery } from "@/api/queries";
import { retry, type Subject } from "@/api/removal";
import { IconWarning } from "@/ui/icons";
import { Failed } from "@/ui/states";

export function FailedWork({ subject, children }: { subject: Subject; children: ReactNode }) {
  const session = useQuery(sessionQuery()).data;
  const again = useMutation({ mutationFn: (_: undefined, { client }) => retry(client, subject) });
  const may = session?.capabilities.includes("retry") === true;
  return (
    <div className="caution with-icon notice" role="alert">
      <IconWarning size={18} />
      <div>
        {children}
        <Failed error={again.error} what="Trying again" />
        {may ? (
          <div className="row no-print">
            <Button size="xs" loading={again.isPending} disabled={again.isSuccess} onClick={() => again.mutate()}>
              {again.isSuccess ? "Tried again soon" : "Try again"}
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  );
}
