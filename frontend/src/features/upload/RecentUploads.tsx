// Earlier uploads, newest first.
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { serverNow } from "@/api/serverClock";
import { uploadsQuery } from "@/api/uploads";
import { formatAgo, formatMoment, plural } from "@/lib/format";
import { QueryView } from "@/ui/states";
import { useNow } from "@/ui/useNow";
import classes from "./UploadPage.module.css";
import { uploadSummary } from "./wording";

export function RecentUploads({ shown }: { shown: string | undefined }) {
  const uploads = useInfiniteQuery(uploadsQuery());
  const now = useNow(serverNow, 30_000);
  const titleId = useId();
  const all = uploads.data?.pages.flatMap((page) => page.uploads) ?? [];
  if (uploads.data !== undefined && all.length === 0) return null;
  return (
    <section aria-labelledby={titleId} className="stack-8">
      <div className="row between">
        <h2 id={titleId}>Recent uploads</h2>
        {uploads.data === undefined ? null : (
          <p className="dim num">
            {all.length} of {uploads.data.pages[0]?.total ?? all.length}
          </p>
        )}
      </div>
      {uploads.data === undefined ? (
        <QueryView query={uploads} what="recent uploads" lines={3} height={40} />
      ) : (
        <ul className={`card plain-list ${classes["recent"]}`}>
          {all.map((upload) => (
            <li key={upload.upload_id}>
              <Link
                to="/upload"
                search={{ upload: upload.upload_id }}
                aria-current={upload.upload_id === shown ? "page" : undefined}
              >
                {upload.first_name}
                {upload.file_count > 1 ? ` and ${upload.file_count - 1} more` : ""}
              </Link>
              <span className="dim">
                {upload.state === "waiting"
                  ? "waits to be read"
                  : upload.state === "failed"
                    ? "could not be read"
                    : uploadSummary({
                        files: upload.file_count,
                        runs: upload.run_count,
                        refused: upload.refused_count,
                      })}
                {upload.problem_count === 0 ? "" : `, ${plural(upload.problem_count, "problem")}`}
              </span>
              <span className="dim num" title={formatMoment(upload.created_at)}>
                {formatAgo(now - Date.parse(upload.created_at))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {uploads.hasNextPage ? (
        <Button
          size="xs"
          className="self-start"
          loading={uploads.isFetchingNextPage}
          onClick={() => void uploads.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </section>
  );
}
