// Requests for the current organisation: members, invitations, tokens, audit trail, and switching organisations.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { accountKey } from "./account";
import { client, get, getQuery, unwrap } from "./client";
import { forgetData, sessionKey } from "./queries";
import type { Schemas } from "./types";

export type Member = Schemas["MemberOut"];
export type Role = Member["role"];
export type Token = Schemas["TokenOut"];
export type TokenScope = Token["scope"];
export type TrailEvent = Schemas["TrailEventOut"];
export type RetentionDays = Schemas["DaysOut"];
export type TrailFilter = { actor?: string; action?: string };

const membersKey = ["members"] as const;
const tokensKey = ["tokens"] as const;
const retentionKey = ["retention"] as const;

export const membersQuery = () => getQuery(membersKey, "/api/v1/members", {});

export const memberFactorsQuery = () => getQuery([...membersKey, "second-factors"], "/api/v1/second-factors", {});

export const tokensQuery = () => getQuery(tokensKey, "/api/v1/tokens", {});

export const trailQuery = (filter: TrailFilter) =>
  infiniteQueryOptions({
    queryKey: ["trail", filter],
    queryFn: ({ pageParam, signal }) =>
      get("/api/v1/trail", { query: { ...filter, ...(pageParam === null ? {} : { below: pageParam }) } }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next_below,
  });

export const trailCsvAddress = (filter: TrailFilter): string => `/api/v1/trail.csv?${new URLSearchParams(filter)}`;

export const invitationQuery = (code: string) =>
  queryOptions({
    queryKey: ["invitation", code],
    queryFn: ({ signal }) => unwrap(client.POST("/api/v1/invitation/look-up", { body: { code }, signal })),
    retry: false,
  });

/** Returns the link of a new invitation. No later request returns it. */
export async function invite(queries: QueryClient, body: { email: string; role: Role }): Promise<string> {
  const { link, ...members } = await unwrap(client.POST("/api/v1/invitations", { body: { days: 7, ...body } }));
  queries.setQueryData(membersKey, members);
  return link;
}

export async function revokeInvitation(queries: QueryClient, invitationId: string): Promise<void> {
  const path = { invitation_id: invitationId };
  queries.setQueryData(
    membersKey,
    await unwrap(client.DELETE("/api/v1/invitations/{invitation_id}", { params: { path } })),
  );
}

export async function changeRole(queries: QueryClient, personId: string, role: Role): Promise<void> {
  const path = { person_id: personId };
  const changed = await unwrap(client.PATCH("/api/v1/members/{person_id}", { params: { path }, body: { role } }));
  queries.setQueryData(membersKey, changed);
  await queries.invalidateQueries({ queryKey: sessionKey });
}

export async function removeMember(queries: QueryClient, personId: string): Promise<void> {
  const path = { person_id: personId };
  queries.setQueryData(membersKey, await unwrap(client.DELETE("/api/v1/members/{person_id}", { params: { path } })));
}

/** Returns the text of a new token. No later request returns it. */
export async function makeToken(queries: QueryClient, body: Schemas["TokenIn"]): Promise<string> {
  return shownOnce(queries, await unwrap(client.POST("/api/v1/tokens", { body })));
}

export async function rotateToken(queries: QueryClient, tokenId: string): Promise<string> {
  const path = { token_id: tokenId };
  const body = { overlap_hours: 0 };
  return shownOnce(queries, await unwrap(client.POST("/api/v1/tokens/{token_id}/rotate", { params: { path }, body })));
}

export async function revokeToken(queries: QueryClient, tokenId: string): Promise<void> {
  const path = { token_id: tokenId };
  queries.setQueryData(tokensKey, await unwrap(client.DELETE("/api/v1/tokens/{token_id}", { params: { path } })));
}

export async function requireSecondFactor(queries: QueryClient, needed: boolean): Promise<void> {
  const account = await unwrap(client.PUT("/api/v1/organisation/second-factor", { body: { needed } }));
  queries.setQueryData(accountKey, account);
}

export async function renameOrganisation(queries: QueryClient, name: string): Promise<void> {
  await unwrap(client.PATCH("/api/v1/organisation", { body: { name } }));
  await Promise.all([
    queries.invalidateQueries({ queryKey: sessionKey }),
    queries.invalidateQueries({ queryKey: accountKey }),
  ]);
}

export const quotaQuery = () => getQuery(["quota"], "/api/v1/quota", {});

export const retentionQuery = () => getQuery(retentionKey, "/api/v1/organisation/retention", {});

/** Sets the retention in days within the operator's limits. `null` stores data as long as the limits allow. */
export async function setRetention(queries: QueryClient, body: RetentionDays): Promise<void> {
  queries.setQueryData(retentionKey, await unwrap(client.PUT("/api/v1/organisation/retention", { body })));
}

export const EXPORT_ADDRESS = "/api/v1/organisation/export";

/** Makes another member the owner. The caller becomes an admin. */
export async function handOver(queries: QueryClient, personId: string): Promise<void> {
  const body = { person_id: personId };
  queries.setQueryData(membersKey, await unwrap(client.POST("/api/v1/organisation/hand-over", { body })));
  await Promise.all([
    queries.invalidateQueries({ queryKey: sessionKey }),
    queries.invalidateQueries({ queryKey: accountKey }),
  ]);
}

export async function requestDeletion(queries: QueryClient, name: string): Promise<void> {
  await unwrap(client.PUT("/api/v1/organisation/deletion", { body: { name } }));
  await queries.invalidateQueries({ queryKey: accountKey });
}

export async function cancelDeletion(queries: QueryClient): Promise<void> {
  await unwrap(client.DELETE("/api/v1/organisation/deletion"));
  await queries.invalidateQueries({ queryKey: accountKey });
}

export async function chooseOrganisation(queries: QueryClient, organisationId: string): Promise<void> {
  await moved(queries, client.PUT("/api/v1/session/organisation", { body: { organisation_id: organisationId } }));
}

export async function makeOrganisation(queries: QueryClient, name: string): Promise<void> {
  await moved(queries, client.POST("/api/v1/organisations", { body: { name } }));
}

export async function leaveOrganisation(queries: QueryClient, organisationId: string): Promise<void> {
  const path = { organisation_id: organisationId };
  await moved(queries, client.DELETE("/api/v1/me/organisations/{organisation_id}", { params: { path } }));
}

export async function acceptInvitation(queries: QueryClient, code: string): Promise<void> {
  await moved(queries, client.POST("/api/v1/invitation/accept", { body: { code } }));
}

/** Applies a switch to another organisation and removes cached data of the previous one. */
async function moved(queries: QueryClient, answer: Parameters<typeof unwrap<Schemas["AccountOut"]>>[0]): Promise<void> {
  const account = await unwrap(answer);
  await queries.resetQueries({ queryKey: sessionKey });
  forgetData(queries);
  queries.setQueryData(accountKey, account);
}

function shownOnce(queries: QueryClient, made: Schemas["TokenMadeOut"]): string {
  const { text, ...tokens } = made;
  queries.setQueryData(tokensKey, tokens);
  return text;
}
