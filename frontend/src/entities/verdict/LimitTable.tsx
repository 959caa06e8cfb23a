// The limits of a budget beside what was measured, each with its own verdict.
import { type LimitLike, limitText } from "@/entities/verdict/limits";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Unknown, Value } from "@/ui/Value";
import { VerdictBadge } from "./VerdictBadge";

export function LimitTable({ rows }: { rows: readonly LimitLike[] }) {
  return (
    <ScrollRegion label="Limits, as a table">
      <table className="data">
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col" className="right">
              Measured
            </th>
            <th scope="col" className="right">
              Must be
            </th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { name, limit, measured } = limitText(row);
            return (
              <tr key={`${name} ${limit}`}>
                <td>{name}</td>
                <td className="right">
                  {measured === null ? (
                    <Unknown reason={row.reason_text ?? "not measured"} />
                  ) : (
                    <Value text={measured} {...(row.value === null ? {} : { exact: String(row.value) })} />
                  )}
                </td>
                <td className="right">{limit}</td>
                <td title={row.reason_text ?? undefined}>
                  <VerdictBadge of={row} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
