// Button that opens the ways to share a run, which are loaded on opening.
import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { RunDetail } from "@/api/types";
import { Dialog } from "@/ui/Dialog";
import { IconLink } from "@/ui/icons";
import { Loading } from "@/ui/states";

const Share = lazy(() => import("./Share").then(({ Share: component }) => ({ default: component })));

export function ShareButton({ run }: { run: RunDetail }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" leftSection={<IconLink size={14} />} onClick={() => setOpened(true)}>
        Share
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Share this run">
        <Suspense fallback={<Loading what="ways to share" />}>
          <Share run={run} />
        </Suspense>
      </Dialog>
    </>
  );
}
