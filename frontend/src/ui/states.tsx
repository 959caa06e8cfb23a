// Loading, empty and error states of a page.
import { Button, type ButtonProps, Skeleton } from "@mantine/core";
import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { sentence } from "@/lib/format";
import { IconWarning } from "./icons";

type LoadingProps = {
  what: string;
  lines?: number;
  height?: number;
  /** Placeholder shapes of the page, instead of equal lines. */
  children?: ReactNode;
};

const SHOWN_MS = 150;
const LONG_MS = 6_000;

/** Renders grey placeholders with the name of what is loading. Nothing is visible for the first 150 ms. */
export function Loading({ what, lines = 3, height = 20, children }: LoadingProps) {
  const visible = useDelayed(SHOWN_MS);
  const isLong = useDelayed(LONG_MS);
  return (
    <div role="status" className="stack-8" style={{ visibility: visible ? "visible" : "hidden" }}>
      <p className="muted small">
        Loading {what}…{isLong ? " It takes longer than usual; it comes by itself." : null}
      </p>
      {children ??
        Array.from({ length: lines }, (_, line) => (
          // The placeholders are identical and never reordered.
          // biome-ignore lint/suspicious/noArrayIndexKey: static placeholders
          <Skeleton key={line} height={height} />
        ))}
    </div>
  );
}

function useDelayed(delayMs: number): boolean {
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPast(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isPast;
}

type EmptyProps = {
  title: string;
  /** The state replaces the whole page, so its title is the page's heading. */
  page?: boolean;
  children?: ReactNode;
};

export function Empty({ title, page = false, children }: EmptyProps) {
  return (
    <div className="card stack-8 items-start" style={{ padding: 24, borderStyle: "dashed" }}>
      {page ? <h1>{title}</h1> : <p className="strong medium">{title}</p>}
      {children}
    </div>
  );
}

/** Renders the error with an optional retry button; `null` without an error. */
export function Failed({ error, what, onRetry }: { error: Error | null; what: string; onRetry?: () => void }) {
  if (error === null) return null;
  const title = "title" in error && typeof error.title === "string" ? error.title : `${what} could not be shown`;
  return (
    <Problem title={title}>
      <p>{error.message}</p>
      {onRetry === undefined ? null : (
        <Button mt={8} size="xs" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Problem>
  );
}

export function Problem({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div
      role="alert"
      className="card with-icon wrap-anywhere"
      style={{ padding: 16, borderLeft: "4px solid var(--fail-fill)" }}
    >
      <IconWarning color="var(--fail-fill)" />
      <div>
        <p className="strong medium">{title}</p>
        {children}
      </div>
    </div>
  );
}

type QueryViewProps = {
  query: Pick<UseQueryResult, "error" | "refetch">;
  /** Noun for the data, used in sentences: `the runs`. */
  what: string;
  lines?: number;
  height?: number;
  /** Shown instead of an error if the server answers 404. */
  missing?: ReactNode;
};

/** Renders the loading, not-found or error state of a query, with a retry button. */
export function QueryView({ query, what, missing, ...space }: QueryViewProps) {
  if (query.error === null) return <Loading what={what} {...space} />;
  if (missing !== undefined && "status" in query.error && query.error.status === 404) return missing;
  return <Failed error={query.error} what={sentence(what)} onRetry={() => void query.refetch()} />;
}

export type Pages = Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
type MoreButtonProps = ButtonProps & { pages: Pages | undefined; children: ReactNode };

/** Renders the button that fetches the next page of a list; `null` on its last page, and for a list without pages. */
export function MoreButton({ pages, ...button }: MoreButtonProps) {
  if (!pages?.hasNextPage) return null;
  return <Button loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()} {...button} />;
}
