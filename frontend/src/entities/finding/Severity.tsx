// Renders the severity of an audit finding by word, icon and colour, and its origin: a calculation or a human reviewer.
// The two origins must be distinguishable.
import type { ReactNode } from "react";
import { IconCheck, IconCross, IconDot, IconWarning } from "@/ui/icons";

const FRAME = { border: "1px solid transparent", borderRadius: 4, fontWeight: 700 } as const;
const soft = (tone: string) => ({ background: `var(--${tone}-soft)`, color: `var(--${tone}-ink)` });

const SEVERITIES = {
  high: { word: "high", Sign: IconCross, look: soft("fail") },
  medium: { word: "medium", Sign: IconWarning, look: soft("unsure") },
  low: { word: "low", Sign: IconDot, look: { borderColor: "var(--line)", color: "var(--ink-3)" } },
  info: { word: "consistent", Sign: IconCheck, look: soft("pass") },
} as const;

type Severity = keyof typeof SEVERITIES;

export const SEVERITY_ORDER: readonly Severity[] = ["high", "medium", "low", "info"];

const severityOf = (severity: string): Severity =>
  SEVERITY_ORDER.find((candidate) => candidate === severity) ?? "medium";

export const severityPlace = (severity: string): number => SEVERITY_ORDER.indexOf(severityOf(severity));

type FrameProps = { severity: string; isSmall?: boolean; children: (word: string) => ReactNode };

function Frame({ severity, isSmall = false, children }: FrameProps) {
  const { word, Sign, look } = SEVERITIES[severityOf(severity)];
  return (
    <span
      className="nowrap smaller icon-text"
      data-severity={severityOf(severity)}
      style={{ ...FRAME, padding: isSmall ? "0 5px" : "0 8px", lineHeight: isSmall ? "16px" : "20px", ...look }}
    >
      <Sign size={isSmall ? 11 : 13} />
      {children(word)}
    </span>
  );
}

export const SeverityBadge = ({ severity, count }: { severity: string; count?: number }) => (
  <Frame severity={severity}>
    {(word) => <span className="num">{count === undefined ? word : `${count} ${word}`}</span>}
  </Frame>
);

/** Renders the icon with a short text beside other words. The severity word is hidden text for assistive technology. */
export const SeverityChip = ({ severity, text }: { severity: string; text: string }) => (
  <Frame severity={severity} isSmall>
    {(word) => (
      <>
        <span className="visually-hidden">{word}: </span>
        {text}
      </>
    )}
  </Frame>
);

const ORIGINS: Record<string, { word: string; meaning: string }> = {
  computed: { word: "computed", meaning: "a check of the product calculated this from the numbers" },
  reviewed: { word: "reviewed", meaning: "a reader found this in the document; no calculation supports it" },
};

export function OriginTag({ origin }: { origin: string }) {
  const { word, meaning } = ORIGINS[origin] ?? { word: origin, meaning: "" };
  const [border, fontStyle] = origin === "reviewed" ? ["dashed", "italic"] : ["solid", "normal"];
  return (
    <span
      className="nowrap smaller tag"
      style={{ border: `1px ${border} var(--axis)`, lineHeight: "18px", fontStyle, cursor: "help" }}
      title={meaning}
    >
      {word}
    </span>
  );
}
