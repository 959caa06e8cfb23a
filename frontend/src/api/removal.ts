// Retries given-up work, and deletes runs and uploads. Affected queries are refetched.
import type { QueryClient } from "@tanstack/react-query";
import { client, inPath, unwrap } from "./client";
import { runKeys } from "./queries";
import { uploadKeys } from "./uploads";

/** A run or an upload, which can be retried or deleted. */
export type Subject = { readonly kind: "run" | "upload"; readonly id: string };

const keyOf = ({ kind, id }: Subject): readonly unknown[] => (kind === "run" ? runKeys.detail(id) : uploadKeys.one(id));

export async function retry(queries: QueryClient, subject: Subject): Promise<void> {
  await (subject.kind === "run"
    ? unwrap(client.POST("/api/v1/runs/{run_id}/retry", inPath({ run_id: subject.id })))
    : unwrap(client.POST("/api/v1/uploads/{upload_id}/retry", inPath({ upload_id: subject.id }))));
  await queries.invalidateQueries({ queryKey: keyOf(subject) });
}

export async function remove(queries: QueryClient, subject: Subject): Promise<void> {
  await (subject.kind === "run"
    ? unwrap(client.DELETE("/api/v1/runs/{run_id}", inPath({ run_id: subject.id })))
    : unwrap(client.DELETE("/api/v1/uploads/{upload_id}", inPath({ upload_id: subject.id }))));
  // Other queries that include the subject are refetched when next shown.
  await queries.invalidateQueries({ refetchType: "none" });
}
