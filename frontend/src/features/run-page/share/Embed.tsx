// Embeddable pictures of a published run: preview, and the HTML that embeds them.
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { embedAddress } from "@/api/reports";
import { Command } from "@/ui/Command";

type Form = "badge" | "chart" | "frame";

const FORMS: { value: Form; label: string }[] = [
  { value: "badge", label: "Badge" },
  { value: "chart", label: "Chart" },
  { value: "frame", label: "Frame" },
];

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
        data={FORMS}
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
