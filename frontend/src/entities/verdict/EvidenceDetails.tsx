// Renders the collapsed section on an answer's basis: bounds, clock, samples, sources, method. It is open in print.
import type { ReactNode } from "react";
import { formatInteger, formatNeeded, sentence, unbroken } from "@/lib/format";
import { evidenceText, type Meter } from "./answer";
import type { VerdictWord } from "./words";

export function EvidenceDetails({ children }: { children: ReactNode }) {
  return (
    <details className="fold">
      <summary className="small">How we know</summary>
      <div className="stack-16" style={{ paddingTop: 12 }}>
        {children}
      </div>
    </details>
  );
}

const TRACK = {
  height: 12,
  overflow: "hidden",
  border: "1px solid var(--unsure-fill)",
  borderRadius: 6,
  background: "repeating-linear-gradient(90deg, var(--unsure-soft) 0 5px, transparent 5px 6px)",
};

export function EvidenceMeter({ meter, verdict }: { meter: Meter; verdict: VerdictWord }) {
  const { share, effective, needed, ways, unit } = meter;
  return (
    <div className="tiles">
      {share === null || effective === null || needed === null ? null : (
        <div>
          <h3>Evidence</h3>
          <div style={TRACK} role="img" aria-label={`${evidenceText(share)} of the ${unit} needed are there`}>
            <div
              style={{ width: `${Math.min(100, share * 100)}%`, height: "100%", background: "var(--unsure-fill)" }}
            />
          </div>
          <p className="between small num wrap" style={{ marginTop: 4 }}>
            <span>
              <strong>{formatInteger(Math.floor(effective))}</strong> {unit}
            </span>
            <span>
              <strong>{formatNeeded(needed)}</strong> needed
            </span>
          </p>
        </div>
      )}
      {ways.length === 0 ? null : (
        <div>
          <h3>{verdict === "INDETERMINATE" ? "What would decide it" : "What would prove it"}</h3>
          <ul className="plain-list">
            {ways.map((way) => (
              <li key={way.text}>{sentence(unbroken(way.text))}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
