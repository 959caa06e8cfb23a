// Renders the severity of an audit finding by word, icon and colour, and its origin: a calculation or a human reviewer.
// The two origins must be distinguishable.
import type { ReactNode } from "react";
import { IconCheck, IconCross, IconDot, IconWarning } from "@/ui/icons";
import classes from "./Severity.module.css";

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
      className={`nowrap smaller icon-text ${classes["severity"]}`}
      data-severity={severityOf(severity)}
      style={look}
      data-small={isSmall || undefined}
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
  return (
    <span className={`nowrap smaller tag ${classes["origin"]}`} data-origin={origin} title={meaning}>
      {word}
    </span>
  );
}
