// Badge of the rating for other sites: preview, and the text that embeds it.
import { Group, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { badgeAddress } from "@/api/drivePage";
import { Command } from "@/ui/Command";
import { Section } from "@/ui/Section";

export function Badge({ slug, name, rules }: { slug: string; name: string; rules: string }) {
  const [form, setForm] = useState<"html" | "markdown">("html");
  const [broken, setBroken] = useState(false);
  const origin = window.location.origin;
  const picture = `${origin}${badgeAddress(slug, rules)}`;
  const page = `${origin}/drives/${encodeURIComponent(slug)}`;
  const label = `Tailroom rating of ${name}`;
  const text =
    form === "html"
      ? `<a href="${page}"><img src="${picture.replaceAll("&", "&amp;")}" alt="${label}"></a>`
      : `[![${label}](${picture})](${page})`;
  return (
    <Section title="Embed this rating" className="stack-8 items-start panel" style={{ alignContent: "start" }}>
      <p className="dim">
        The picture follows the rating: it changes when evidence is added or retracted. It shows published evidence
        only.
      </p>
      <Group gap="8px 24px">
        {broken ? (
          <p>The badge could not be loaded.</p>
        ) : (
          <img
            src={badgeAddress(slug, rules)}
            alt={label}
            style={{ display: "block", maxWidth: "100%", height: "auto" }}
            onError={() => setBroken(true)}
          />
        )}
        <SegmentedControl
          className="no-print"
          size="xs"
          aria-label="Form of the text"
          value={form}
          data={[
            { value: "html", label: "HTML" },
            { value: "markdown", label: "Markdown" },
          ]}
          onChange={(value) => setForm(value as typeof form)}
        />
      </Group>
      <Command text={text} />
    </Section>
  );
}
