// Banner that the page has lost its live connection, and what this means for the run.
import { Button, Group } from "@mantine/core";
import type { FeedState } from "@/api/runFeed";
import type { RunDetail } from "@/api/types";
import { IconWarning } from "@/ui/icons";

export function ConnectionBanner({ run, feed, onRetry }: { run: RunDetail; feed: FeedState; onRetry: () => void }) {
  if (feed.connection !== "reconnecting") return null;
  const first = feed.attempt <= 1;
  return (
    <Group wrap="nowrap" gap={12} className="caution notice no-print" role="status">
      <IconWarning size={18} />
      <p style={{ flex: 1 }}>
        <strong>{first ? "Reconnecting" : `Reconnecting, attempt ${feed.attempt}`}</strong> The live connection to the
        server broke. {first ? "" : "Until it is back, this page asks for news every few seconds. "}
        {run.state === "finished" ? "" : "The agent goes on measuring and keeps what it cannot send: nothing is lost."}
      </p>
      <Button size="xs" flex="none" onClick={onRetry}>
        Try now
      </Button>
    </Group>
  );
}
