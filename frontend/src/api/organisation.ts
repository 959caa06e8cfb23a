// Requests for the current organisation: members, invitations, tokens, audit trail, and switching organisations.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { accountKey, refetchAccount } from "./account";
import { addressOf, client, get, getQuery, inPath, refetchAfter, storeAnswer, unwrap } from "./client";
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

export const trailCsvAddress = (filter: TrailFilter): string => addressOf("/api/v1/trail.csv", filter);

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

export const revokeInvitation = (queries: QueryClient, invitation_id: string) =>
  storeAnswer(queries, membersKey, client.DELETE("/api/v1/invitations/{invitation_id}", inPath({ invitation_id })));

export async function changeRole(queries: QueryClient, person_id: string, role: Role): Promise<void> {
  const change = client.PATCH("/api/v1/members/{person_id}", { ...inPath({ person_id }), body: { role } });
  await storeAnswer(queries, membersKey, change);
  await queries.invalidateQueries({ queryKey: sessionKey });
}

export const removeMember = (queries: QueryClient, person_id: string) =>
  storeAnswer(queries, membersKey, client.DELETE("/api/v1/members/{person_id}", inPath({ person_id })));

/** Returns the text of a new token. No later request returns it. */
export async function makeToken(queries: QueryClient, body: Schemas["TokenIn"]): Promise<string> {
  return shownOnce(queries, await unwrap(client.POST("/api/v1/tokens", { body })));
}

export async function rotateToken(queries: QueryClient, token_id: string): Promise<string> {
  const options = { ...inPath({ token_id }), body: { overlap_hours: 0 } };
  return shownOnce(queries, await unwrap(client.POST("/api/v1/tokens/{token_id}/rotate", options)));
}

export const revokeToken = (queries: QueryClient, token_id: string) =>
  storeAnswer(queries, tokensKey, client.DELETE("/api/v1/tokens/{token_id}", inPath({ token_id })));

export const requireSecondFactor = (queries: QueryClient, needed: boolean) =>
  storeAnswer(queries, accountKey, client.PUT("/api/v1/organisation/second-factor", { body: { needed } }));

export async function renameOrganisation(queries: QueryClient, name: string): Promise<void> {
  await unwrap(client.PATCH("/api/v1/organisation", { body: { name } }));
  await refetchAccount(queries);
}

export const quotaQuery = () => getQuery(["quota"], "/api/v1/quota", {});

export const retentionQuery = () => getQuery(retentionKey, "/api/v1/organisation/retention", {});

/** Sets the retention in days within the operator's limits. `null` stores data as long as the limits allow. */
export const setRetention = (queries: QueryClient, body: RetentionDays) =>
  storeAnswer(queries, retentionKey, client.PUT("/api/v1/organisation/retention", { body }));

export const EXPORT_ADDRESS = "/api/v1/organisation/export";

/** Makes another member the owner. The caller becomes an admin. */
export async function handOver(queries: QueryClient, person_id: string): Promise<void> {
  await storeAnswer(queries, membersKey, client.POST("/api/v1/organisation/hand-over", { body: { person_id } }));
  await refetchAccount(queries);
}

export const requestDeletion = (queries: QueryClient, name: string) =>
  refetchAfter(queries, accountKey, client.PUT("/api/v1/organisation/deletion", { body: { name } }));

export const cancelDeletion = (queries: QueryClient) =>
  refetchAfter(queries, accountKey, client.DELETE("/api/v1/organisation/deletion"));

export const chooseOrganisation = (queries: QueryClient, organisation_id: string) =>
  moved(queries, client.PUT("/api/v1/session/organisation", { body: { organisation_id } }));

export const makeOrganisation = (queries: QueryClient, name: string) =>
  moved(queries, client.POST("/api/v1/organisations", { body: { name } }));

export const leaveOrganisation = (queries: QueryClient, organisation_id: string) =>
  moved(queries, client.DELETE("/api/v1/me/organisations/{organisation_id}", inPath({ organisation_id })));

export const acceptInvitation = (queries: QueryClient, code: string) =>
  moved(queries, client.POST("/api/v1/invitation/accept", { body: { code } }));

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
