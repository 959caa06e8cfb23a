// Having work tried again that was given up, and deleting for good. Whatever shows a run or an upload is fetched anew.
import type { QueryClient } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import { runKeys } from "./queries";
import { uploadKeys } from "./uploads";

/** What can be tried again or deleted: a run, or an upload with its files. */
export type Subject = { readonly kind: "run" | "upload"; readonly id: string };

const keyOf = ({ kind, id }: Subject): readonly unknown[] => (kind === "run" ? runKeys.detail(id) : uploadKeys.one(id));

export async function retry(queries: QueryClient, subject: Subject): Promise<void> {
  await (subject.kind === "run"
    ? unwrap(client.POST("/api/v1/runs/{run_id}/retry", { params: { path: { run_id: subject.id } } }))
    : unwrap(client.POST("/api/v1/uploads/{upload_id}/retry", { params: { path: { upload_id: subject.id } } })));
  await queries.invalidateQueries({ queryKey: keyOf(subject) });
}

export async function remove(queries: QueryClient, subject: Subject): Promise<void> {
  await (subject.kind === "run"
    ? unwrap(client.DELETE("/api/v1/runs/{run_id}", { params: { path: { run_id: subject.id } } }))
    : unwrap(client.DELETE("/api/v1/uploads/{upload_id}", { params: { path: { upload_id: subject.id } } })));
  // Drives, lists and uploads that named it are asked anew when they are shown next.
  await queries.invalidateQueries({ refetchType: "none" });
}
