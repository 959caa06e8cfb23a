// Renders a published run's rank with links to drive and leaderboard, or the reason why it has none.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { placeOfRunQuery } from "@/api/leaderboard";
import { driveName, rankMeaning, rankText, ratingText } from "@/entities/drive/ratings";
import { sentence } from "@/lib/format";
import { DriveLink } from "@/ui/links";

export function Place({ runId }: { runId: string }) {
  const { data } = useQuery(placeOfRunQuery(runId));
  const row = data?.rows[0];
  if (row === undefined)
    return (
      <p className="dim" role="status">
        {data?.run_not_rated == null
          ? "Not among the drives so far: a run counts there once it has been judged."
          : `Not among the drives: ${data.run_not_rated}.`}
      </p>
    );
  const rating = ratingText(row.rating);
  return (
    <p role="status">
      {row.rank === null ? (
        <>
          <strong>Now among the drives, without a rank.</strong> {sentence(row.unranked_reason ?? "no test decides it")}
          .
        </>
      ) : (
        <strong title={rankMeaning(row.rank)}>
          Now rank {rankText(row.rank)} of {row.rank.among} at equal conditions.
        </strong>
      )}{" "}
      <DriveLink slug={row.drive.slug}>
        {driveName(row.drive)}
        {rating === null ? "" : `: ${rating}`} →
      </DriveLink>{" "}
      <Link to="/drives" search={{ search: row.drive.name }} hash={row.row_id}>
        Its row on the leaderboard →
      </Link>
    </p>
  );
}
