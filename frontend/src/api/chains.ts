// Requests for chains of linked runs: propose, create, read and delete.
import { queryOptions } from "@tanstack/react-query";
import { client, get, unwrap } from "./client";
import type { Schemas } from "./types";

export type Chain = Schemas["ChainOut"];
export type ChainPlan = Schemas["ChainIn"];

const FRESH_MS = 30_000;

export const chainsQuery = () =>
  queryOptions({
    queryKey: ["chains", "list"],
    queryFn: ({ signal }) => get("/api/v1/chains", {}, signal),
    staleTime: FRESH_MS,
  });

export const proposalQuery = (run: string) =>
  queryOptions({
    queryKey: ["chains", "proposal", run],
    queryFn: ({ signal }) => get("/api/v1/chain-proposal", { query: { run } }, signal),
    staleTime: FRESH_MS,
  });

export const chainQuery = (id: string) =>
  queryOptions({
    queryKey: ["chains", "one", id],
    queryFn: ({ signal }) => get("/api/v1/chains/{chain_id}", { path: { chain_id: id } }, signal),
    staleTime: FRESH_MS,
  });

export const makeChain = (body: ChainPlan) => unwrap(client.POST("/api/v1/chains", { body }));

export async function removeChain(id: string): Promise<void> {
  await unwrap(client.DELETE("/api/v1/chains/{chain_id}", { params: { path: { chain_id: id } } }));
}
