// Ways to share a run: address, report, links, embedded pictures, evidence pack.
import { Button, SegmentedControl } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { sessionQuery } from "@/api/queries";
import { embedAddress, evidencePack, offlinePage, reportAddress, reportPdf } from "@/api/reports";
import type { RunDetail } from "@/api/types";
import { fileStem, saveFile } from "@/lib/csv";
import { sentence } from "@/lib/format";
import { Command } from "@/ui/Command";
import { CopyLinkButton } from "@/ui/CopyButton";
import { IconDownload } from "@/ui/icons";
import { Section } from "@/ui/Section";
import { Failed } from "@/ui/states";
import { Links } from "./Links";

/** Sentence that names the possible readers of the page. */
const READERS: Record<RunDetail["visibility"], string> = {
  private: "Only your organisation can open it.",
  public: "Everybody of this installation can open it.",
  retracted: "Others read there that the run was withdrawn.",
};

export function Share({ run }: { run: RunDetail }) {
  const session = useQuery(sessionQuery()).data;
  const stem = fileStem(run.title);
  const mayPublish = run.is_own && session?.capabilities.includes("publish") === true;
  return (
    <div className="stack-24 wrap-anywhere">
      <Part title="This page">
        <p className="dim">{run.is_own ? READERS[run.visibility] : READERS.public} Your question goes along.</p>
        <CopyLinkButton label="Copy the address" address={() => window.location.href} />
      </Part>
      <Part title="Report">
        <p className="dim">Question, answer, method, every figure with its bounds, and the configuration.</p>
        <div className="row">
          <Button size="xs" component="a" href={reportAddress(run.run_id, "html")} target="_blank">
            Open as a page
          </Button>
          <Saved label="PDF" what="The PDF" name={`${stem}.pdf`} make={() => reportPdf(run.run_id)} />
          <Button
            size="xs"
            component="a"
            href={reportAddress(run.run_id, "csv")}
            leftSection={<IconDownload size={14} />}
            download={`${stem}.csv`}
          >
            CSV
          </Button>
        </div>
      </Part>
      {mayPublish && run.state === "finished" ? (
        <Part title="Links for others">
          <Links runId={run.run_id} />
        </Part>
      ) : null}
      {run.is_own ? (
        <Part title="Alerts">
          <p className="dim">
            <Link to="/watch">Watch this configuration</Link> to hear when its verdict changes.
          </p>
        </Part>
      ) : null}
      <Part title="On other pages">
        {run.visibility === "public" ? (
          <Embed runId={run.run_id} title={run.title} />
        ) : (
          <p className="dim">A published run has a badge and a chart that other pages can show.</p>
        )}
      </Part>
      <Part title="Evidence pack">
        <p className="dim">
          Raw files, verdicts, report and hashes, signed. Anybody can calculate every verdict again, without this
          server:
        </p>
        <Command text="tailroom verify pack.zip" />
        <Saved
          label="Evidence pack"
          what="The evidence pack"
          name={`${stem}.zip`}
          make={() => evidencePack(run.run_id)}
        />
      </Part>
      <Part title="Page for later">
        <p className="dim">
          One file that opens in any browser, without this server or a network. It works verdicts on single operations
          out again and answers other questions about them.
        </p>
        <Saved label="Page for later" what="The page" name={`${stem}.html`} make={() => offlinePage(run.run_id)} />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title} heading="h3" className="stack-8 items-start">
      {children}
    </Section>
  );
}

/** Renders a button that creates and saves a file, with its progress and its error. */
function Saved({ label, what, name, make }: { label: string; what: string; name: string; make: () => Promise<Blob> }) {
  const made = useMutation({ mutationFn: make, onSuccess: (content) => saveFile(name, content) });
  return (
    <>
      <Button size="xs" leftSection={<IconDownload size={14} />} loading={made.isPending} onClick={() => made.mutate()}>
        {label}
      </Button>
      <Failed error={made.error} what={what} />
    </>
  );
}

const FORMS = ["badge", "chart", "frame"] as const;
type Form = (typeof FORMS)[number];

const attribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns the HTML that embeds a picture of the run. */
export function embedText(form: Form, runId: string, title: string, origin: string): string {
  const label = attribute(`Tailroom: ${title}`);
  if (form === "frame")
    return `<iframe src="${origin}${embedAddress(runId, "chart")}" title="${label}" width="720" height="420"></iframe>`;
  const picture = embedAddress(runId, form === "badge" ? "badge.svg" : "chart.svg");
  return `<a href="${origin}/runs/${runId}"><img src="${origin}${picture}" alt="${label}"></a>`;
}

export function Embed({ runId, title }: { runId: string; title: string }) {
  const [form, setForm] = useState<Form>("badge");
  return (
    <>
      <p className="dim">The picture follows the verdict, and says so when the run is withdrawn.</p>
      <SegmentedControl
        size="xs"
        aria-label="What is shown"
        value={form}
        data={FORMS.map((value) => ({ value, label: sentence(value) }))}
        onChange={(value) => setForm(value as Form)}
      />
      <img
        style={{ display: "block", maxWidth: "100%", height: "auto" }}
        src={embedAddress(runId, form === "badge" ? "badge.svg" : "chart.svg")}
        alt={form === "badge" ? "The badge" : "The chart"}
      />
      <Command text={embedText(form, runId, title, window.location.origin)} />
    </>
  );
}
