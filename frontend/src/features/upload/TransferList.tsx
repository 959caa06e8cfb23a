// Files uploaded in this tab: being sent, read, refused or waiting. Entries stay until they are removed by hand.
import { Button, Group, Progress } from "@mantine/core";
import { BackendUnreachable } from "@/api/problem";
import { type Transfer, type TransferState, transferQueue } from "@/entities/upload/transfers";
import { formatBytes, plural } from "@/lib/format";
import { IconCheck, IconWarning } from "@/ui/icons";

type TransferListProps = {
  transfers: readonly Transfer[];
  shown: string | undefined;
  onShow: (uploadId: string) => void;
};

export function TransferList({ transfers, shown, onShow }: TransferListProps) {
  if (transfers.length === 0) return null;
  return (
    <section aria-label="Sent from this tab" className="stack-8">
      <ul className="plain-list ruled">
        {transfers.map((transfer) => (
          <TransferLine key={transfer.id} transfer={transfer} shown={shown} onShow={onShow} />
        ))}
      </ul>
    </section>
  );
}

/** Returns the names of files: `a.log`, `a.log and a.conf`, `a.log and 4 more`. */
export function namesOf(files: readonly { readonly name: string }[]): string {
  const [first = "", second] = files.map(({ name }) => name);
  if (second === undefined) return first;
  return `${first} and ${files.length === 2 ? second : `${files.length - 1} more`}`;
}

function TransferLine({ transfer, shown, onShow }: { transfer: Transfer } & Omit<TransferListProps, "transfers">) {
  const { id, state, files, totalBytes } = transfer;
  const names = namesOf(files);
  const over = state.step === "done" || state.step === "failed" || state.step === "cancelled";
  return (
    <li className="row" data-step={state.step}>
      <div className="stack-2 wrap-anywhere" style={{ flex: "2 1 200px" }}>
        <strong title={files.map((file) => file.name).join("\n")}>{names}</strong>
        <span className="dim num">
          {plural(files.length, "file")}, {formatBytes(totalBytes)}
        </span>
      </div>
      <div className="stack-4" style={{ flex: "3 1 280px" }} role={state.step === "failed" ? "alert" : undefined}>
        <StateWords state={state} />
      </div>
      <Group align="stretch" wrap="nowrap" gap={8}>
        {state.step === "done" && state.uploadId !== shown ? (
          <Button size="xs" aria-label={`Show ${names}`} onClick={() => onShow(state.uploadId)}>
            Show
          </Button>
        ) : null}
        {state.step === "failed" || state.step === "cancelled" ? (
          <Button variant="filled" size="xs" aria-label={`Send ${names} again`} onClick={() => transferQueue.retry(id)}>
            {state.step === "failed" ? "Try again" : "Send after all"}
          </Button>
        ) : null}
        {over ? (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            aria-label={`Remove ${names} from this list`}
            onClick={() => transferQueue.remove(id)}
          >
            Remove
          </Button>
        ) : (
          <Button size="xs" aria-label={`Cancel ${names}`} onClick={() => transferQueue.cancel(id)}>
            Cancel
          </Button>
        )}
      </Group>
    </li>
  );
}

/** Returns the sent share in percent, rounded down so that 100 % means complete. */
const sentPercent = (sent: number, total: number): number => (total === 0 ? 0 : Math.floor((100 * sent) / total));

function StateWords({ state }: { state: TransferState }) {
  switch (state.step) {
    case "waiting":
      return <p className="dim">waits for the upload before</p>;
    case "sending": {
      const percent = sentPercent(state.sentBytes, state.totalBytes);
      return (
        <>
          <Progress value={percent} size="sm" color="var(--accent)" aria-label="Sent" />
          <p className="dim num">
            {formatBytes(state.sentBytes)} of {formatBytes(state.totalBytes)} sent, {percent}&nbsp;%
          </p>
        </>
      );
    }
    case "reading":
      return (
        <>
          <Progress value={100} size="sm" color="var(--accent)" animated aria-label="Sent, being read" />
          <p className="dim">all sent; the files are being stored and read</p>
        </>
      );
    case "done":
      return (
        <Group component="p" wrap="nowrap" gap={8} role="status">
          <IconCheck size={14} />
          {state.upload === null
            ? "stored, but nothing could be read"
            : !state.isNew
              ? "sent before; nothing is stored twice"
              : state.upload.state === "waiting"
                ? "stored"
                : "stored and read"}
        </Group>
      );
    case "cancelled":
      return <p className="dim">cancelled; the files are still listed here</p>;
    case "failed":
      return <Failure error={state.error} />;
  }
}

function Failure({ error }: { error: Error }) {
  const title = "title" in error && typeof error.title === "string" ? error.title : "The upload failed";
  return (
    <div className="with-icon">
      <IconWarning size={16} color="var(--fail-fill)" />
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p>
          {error instanceof BackendUnreachable
            ? "The server did not answer, or closed the connection while the files were on their way. It may be stopped or restarting, or the network may be down."
            : error.message}
        </p>
        <p>The files are still listed here and can be sent again.</p>
      </div>
    </div>
  );
}
