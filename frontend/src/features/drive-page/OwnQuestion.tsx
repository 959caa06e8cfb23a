// What the drive's tests say of the question that the reader brought along, for each set of conditions; judged by the API as on the list.
import { useQuery } from "@tanstack/react-query";
import { useId, useMemo } from "react";
import { rowsOfDrivesQuery } from "@/api/leaderboard";
import { LoadTrack, loadAxis } from "@/entities/drive/LoadTrack";
import { costParts, ratingParts } from "@/entities/drive/ratings";
import type { AskedSearch } from "@/entities/question/address";
import { asksOwn, readAsked } from "@/entities/question/asked";
import { sentence } from "@/lib/words";
import { Failed, Loading } from "@/ui/states";
import classes from "./OwnQuestion.module.css";
import { conditionWords } from "./words";

export function OwnQuestion({ slug, name, search }: { slug: string; name: string; search: AskedSearch }) {
  const titleId = useId();
  const asked = useMemo(() => (asksOwn(search) ? readAsked(search).asked : null), [search]);
  const found = useQuery({ ...rowsOfDrivesQuery(asked?.leaderboard ?? {}, [slug]), enabled: asked !== null });
  if (asked === null) return null;
  if (found.error !== null)
    return <Failed error={found.error} what="The answer to my question" onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading what="the answer to my question" lines={2} height={48} />;
  const rows = found.data.rows;
  const axis = loadAxis(rows.flatMap((row) => row.cells.map((cell) => cell.load)));
  return (
    <section className={classes["own"]} aria-labelledby={titleId}>
      <h2 id={titleId}>Which load does it hold for my question?</h2>
      <p className="dim">{sentence(asked.text)}.</p>
      {rows.length === 0 ? <p>No test of {name} is on record, so nothing answers it.</p> : null}
      <ul>
        {rows.map((row) => {
          const { holds, beyond } = ratingParts(row.rating);
          const cost = costParts(row);
          return (
            <li key={row.row_id}>
              <span className="dim">{conditionWords(row)}</span>
              <LoadTrack cells={row.cells} rating={row.rating} axis={axis} />
              <span>
                <strong>{holds}</strong> <span className="dim">{beyond}</span>
                {cost === null ? null : (
                  <span className="dim" title={cost.meaning}>
                    {" "}
                    · {cost.per ?? cost.price}
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
