// Requests for chains of linked runs: propose, create, read and delete.
import { client, getQuery, inPath, unwrap } from "./client";
import type { Schemas } from "./types";

export type Chain = Schemas["ChainOut"];

const FRESH_MS = 30_000;

export const chainsQuery = () => getQuery(["chains", "list"], "/api/v1/chains", {}, { staleTime: FRESH_MS });

export const proposalQuery = (run: string) =>
  getQuery(["chains", "proposal", run], "/api/v1/chain-proposal", { query: { run } }, { staleTime: FRESH_MS });

export const chainQuery = (id: string) =>
  getQuery(["chains", "one", id], "/api/v1/chains/{chain_id}", { path: { chain_id: id } }, { staleTime: FRESH_MS });

export const makeChain = (body: Schemas["ChainIn"]) => unwrap(client.POST("/api/v1/chains", { body }));

export const removeChain = (chain_id: string) =>
  unwrap(client.DELETE("/api/v1/chains/{chain_id}", inPath({ chain_id })));
