// Renders the visibility of a run: private until published; withdrawn with a permanent reason.
import { Button, Checkbox, Textarea } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { placeOfRunQuery } from "@/api/leaderboard";
import { runDetailQuery } from "@/api/queries";
import type { RunDetail } from "@/api/types";
import { type NameKind, publishRun, type RunNames, retractRun, runNamesQuery } from "@/api/uploads";
import { driveName, rankMeaning, rankText, ratingText } from "@/entities/drive/ratings";
import { formatMoment, plural, sentence } from "@/lib/format";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { CopyLinkButton } from "@/ui/CopyButton";
import { IconGlobe, IconLock, IconWarning } from "@/ui/icons";
import { DriveLink } from "@/ui/links";
import { Failed } from "@/ui/states";

const LONGEST_REASON = 500;

/** The fields of a run that both the run page and the upload page have. */
export type SharedRun = Pick<RunDetail, "run_id" | "title" | "workload" | "visibility" | "disclosure">;

export function Sharing({ run }: { run: SharedRun }) {
  const [asking, setAsking] = useState<"publish" | "withdraw" | null>(null);
  const [reason, setReason] = useState("");
  const detail = useQuery(runDetailQuery(run.run_id)).data;
  const close = () => setAsking(null);
  const [shown, setShown] = useState<NameKind[]>([]);
  const names = useQuery({ ...runNamesQuery(run.run_id), enabled: asking === "publish" });
  const publish = useMutation({
    mutationFn: (_: undefined, { client }) => publishRun(client, run.run_id, shown),
    onSuccess: close,
  });
  const withdraw = useMutation({
    mutationFn: (_: undefined, { client }) => retractRun(client, run.run_id, reason),
    onSuccess: close,
  });
  const visibility = detail?.visibility ?? run.visibility;
  const isPublic = visibility === "public";
  return (
    <section className="row between divided" aria-label={`Who may see ${run.title}`}>
      <div className="with-icon">
        {isPublic ? <IconGlobe size={18} /> : <IconLock size={18} />}
        <p>
          <strong>{isPublic ? "Published" : visibility === "retracted" ? "Withdrawn" : "Private"}</strong>{" "}
          <span className="dim">
            {isPublic
              ? `since ${formatMoment(detail?.published_at ?? "")}. Everybody of this installation can find and read it.`
              : visibility === "retracted"
                ? `${formatMoment(detail?.retracted_at ?? "")}. Whoever has the link is told so${detail?.retraction_reason ? `, with the reason: ${detail.retraction_reason}` : ""}.`
                : "Only your organisation sees it."}
          </span>
        </p>
      </div>
      {isPublic ? <Place runId={run.run_id} /> : null}
      <div className="row no-print">
        <CopyLinkButton label="Copy the link" address={() => `${window.location.origin}/runs/${run.run_id}`} />
        {isPublic ? (
          <Button size="xs" onClick={() => setAsking("withdraw")}>
            Withdraw
          </Button>
        ) : (
          <Button variant="filled" size="xs" onClick={() => setAsking("publish")}>
            {visibility === "retracted" ? "Publish again" : "Publish"}
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={asking === "publish"}
        onClose={close}
        title="Publish this run"
        mutation={publish}
        what="Publishing"
        confirm="Publish now"
        keep="Keep private"
        harmless
      >
        <p>
          <strong>{run.title}</strong>
        </p>
        <p>
          Everybody of this installation will find it among the runs. They see its title, measurements, pictures and
          verdicts, and the problems found in the file. They also see what the file says about tool and load, and the
          facts that you filled in. The file itself stays private.
        </p>
        {names.data === undefined ? null : <NamesShown names={names.data} shown={shown} onShown={setShown} />}
        <Failed error={names.error} what="The names" />
        <MissingWarning run={run} />
        <p className="dim">
          It can be withdrawn later: the link then says when and why.
          {run.workload.startsWith("act-")
            ? " Beside its row on the leaderboard stands how many runs of the same plan and drive you made, and editions of the leaderboard keep the row for good."
            : ""}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === "withdraw"}
        onClose={close}
        title="Withdraw this run"
        mutation={withdraw}
        what="Withdrawing"
        confirm="Withdraw it"
        keep="Keep it published"
        harmless
      >
        <p>Others see only its name from then on, when it was withdrawn, and the reason that you give here.</p>
        <Textarea
          label="Reason"
          description="Shown to everybody who has the link"
          maxLength={LONGEST_REASON}
          rows={3}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </ConfirmDialog>
    </section>
  );
}

const KINDS = [
  { kind: "hosts", label: "Hosts and servers", instead: "host 1" },
  { kind: "devices", label: "Devices", instead: "device 1" },
  { kind: "paths", label: "Paths", instead: "path 1" },
  { kind: "notes", label: "Notes and command lines", instead: "note 1" },
] as const satisfies readonly { kind: NameKind; label: string; instead: string }[];

type NamesProps = { names: RunNames; shown: readonly NameKind[]; onShown: (shown: NameKind[]) => void };

/** Renders checkboxes for kinds of machine names. Others see names of checked kinds, else neutral names. */
export function NamesShown({ names, shown, onShown }: NamesProps) {
  const present = KINDS.filter(({ kind }) => names[kind].length > 0);
  if (present.length === 0) return null;
  return (
    <fieldset className="stack-8" style={{ marginTop: 8 }}>
      <legend>Names that others may read. Your budgets, prices and other runs stay private.</legend>
      {present.map(({ kind, label, instead }) => (
        <Checkbox
          key={kind}
          label={`${label}: ${names[kind].join(", ")}`}
          description={shown.includes(kind) ? "Shown as it is" : `Others read “${instead}”`}
          checked={shown.includes(kind)}
          onChange={({ currentTarget }) =>
            onShown(currentTarget.checked ? [...shown, kind] : shown.filter((name) => name !== kind))
          }
        />
      ))}
    </fieldset>
  );
}

/** Warns about missing facts. For ACT runs they prevent a rank; for others, comparison and repetition. */
function MissingWarning({ run }: { run: SharedRun }) {
  const { missing } = run.disclosure;
  if (missing.length === 0) return null;
  const ranked = run.workload.startsWith("act-");
  return (
    <div className="caution with-icon notice">
      <IconWarning size={16} />
      <p>
        <strong>
          {ranked
            ? `Unranked until ${plural(missing.length, "more fact")} ${missing.length === 1 ? "is" : "are"} given:`
            : `${plural(missing.length, "fact")} not given, without which others cannot compare or repeat it:`}
        </strong>{" "}
        {missing.map((fact) => fact.label).join(", ")}. They can be added after publishing too.
      </p>
    </div>
  );
}

export function Place({ runId }: { runId: string }) {
  const { data } = useQuery(placeOfRunQuery(runId));
  const row = data?.rows[0];
  if (row === undefined)
    return (
      <p className="dim" role="status">
        {data?.run_not_rated == null
          ? "Not among the drives so far: a run counts there once it has been judged."
          : `Not among the drives: ${data.run_not_rated}.`}
      </p>
    );
  const rating = ratingText(row.rating);
  return (
    <p role="status">
      {row.rank === null ? (
        <>
          <strong>Now among the drives, without a rank.</strong> {sentence(row.unranked_reason ?? "no test decides it")}
          .
        </>
      ) : (
        <strong title={rankMeaning(row.rank)}>
          Now rank {rankText(row.rank)} of {row.rank.among} at equal conditions.
        </strong>
      )}{" "}
      <DriveLink slug={row.drive.slug}>
        {driveName(row.drive)}
        {rating === null ? "" : `: ${rating}`} →
      </DriveLink>{" "}
      <Link to="/drives" search={{ search: row.drive.name }} hash={row.row_id}>
        Its row on the leaderboard →
      </Link>
    </p>
  );
}
