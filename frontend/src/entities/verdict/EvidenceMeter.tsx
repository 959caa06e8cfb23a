// Renders the share of the required evidence, and the ways to obtain the rest, cheapest first.
import { formatInteger, formatNeeded, sentence, unbroken } from "@/lib/format";
import { evidenceText, type Meter } from "./answer";
import classes from "./EvidenceMeter.module.css";
import type { VerdictWord } from "./words";

export function EvidenceMeter({ meter, verdict }: { meter: Meter; verdict: VerdictWord }) {
  const { share, effective, needed, ways, unit } = meter;
  return (
    <div className="tiles">
      {share === null || effective === null || needed === null ? null : (
        <div>
          <h3>Evidence</h3>
          <div
            className={classes["track"]}
            role="img"
            aria-label={`${evidenceText(share)} of the ${unit} needed are there`}
          >
            <div style={{ width: `${Math.min(100, share * 100)}%` }} />
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
