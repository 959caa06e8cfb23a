// Renders a rounded number with its exact value as tooltip.
import { UNKNOWN } from "@/lib/format";

export function Value({ text, exact }: { text: string; exact?: string }) {
  return (
    <span className="num" title={exact}>
      {text}
    </span>
  );
}

export function Unknown({ reason }: { reason: string }) {
  return (
    <span title={reason}>
      <span aria-hidden="true">{UNKNOWN}</span>
      <span className="visually-hidden">unknown: {reason}</span>
    </span>
  );
}
