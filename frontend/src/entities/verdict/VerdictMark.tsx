// Renders a verdict as a mark that is readable without colour: the shape shows the verdict, the fill its strength.
import classes from "./VerdictMark.module.css";
import { isFilled, type Judged } from "./words";

const SIGNS = {
  PASS: <path d="M6 10.3 8.8 13 14 7.2" />,
  FAIL: <path d="m6.8 6.8 6.4 6.4m0-6.4-6.4 6.4" />,
  INDETERMINATE: <path d="M7.9 8c0-1.2.9-2 2.1-2s2.1.8 2.1 1.9c0 1.5-2.1 1.6-2.1 3M10 13.9v.1" />,
} as const;

export function VerdictMark({ of, size = 20 }: { of: Judged; size?: number }) {
  const filled = isFilled(of);
  return (
    <svg
      className={classes["mark"]}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      data-verdict={of.verdict}
      data-filled={filled || undefined}
      aria-hidden="true"
      focusable="false"
    >
      {of.verdict === "FAIL" ? (
        <rect x="2" y="2" width="16" height="16" rx="3" />
      ) : (
        <circle cx="10" cy="10" r="8" strokeDasharray={of.verdict === "INDETERMINATE" ? "3.2 2.2" : undefined} />
      )}
      {SIGNS[of.verdict]}
    </svg>
  );
}
