// How much of the evidence there is that an undecided verdict needs, and what would decide it, the cheapest way first.
import { formatInteger } from "@/lib/format";
import { sentence } from "@/lib/words";
import { type Meter, shareText } from "./answer";
import classes from "./EvidenceMeter.module.css";

export function EvidenceMeter({ meter }: { meter: Meter }) {
  const { share, effective, needed, ways, unit } = meter;
  return (
    <div className={classes["meter"]}>
      {share === null || effective === null || needed === null ? null : (
        <div>
          <h3>Evidence</h3>
          <div
            className={classes["track"]}
            role="img"
            aria-label={`${shareText(share)} of the ${unit} needed are there`}
          >
            <div style={{ width: `${Math.min(100, share * 100)}%` }} />
          </div>
          <p className={classes["ends"]}>
            <span>
              <strong>{formatInteger(Math.floor(effective))}</strong> {unit}
            </span>
            <span>
              <strong>{formatInteger(Math.ceil(needed))}</strong> needed
            </span>
          </p>
        </div>
      )}
      {ways.length === 0 ? null : (
        <div>
          <h3>What would decide it</h3>
          <ul className={classes["ways"]}>
            {ways.map((way) => (
              <li key={way.text}>{sentence(way.text)}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
