// Requests for accounts: sign-up, sign-in, the own account and its sessions.
import type { QueryClient } from "@tanstack/react-query";
import { client, getQuery, inPath, refetchAfter, storeAnswer, unwrap } from "./client";
import { ApiProblem } from "./problem";
import { forgetData, sessionKey } from "./queries";
import type { Schemas } from "./types";

export const accountKey = ["account"] as const;
const sessionsKey = ["account", "sessions"] as const;
const identitiesKey = ["account", "identities"] as const;
const FROM_KEY = "tailroom-sign-in-from";
export const secondFactorKey = ["account", "second-factor"] as const;

export const optionsQuery = () => getQuery(["sign-in-options"], "/api/v1/sign-in-options", {}, { staleTime: 60_000 });

export const accountQuery = () => getQuery(accountKey, "/api/v1/me", {}, { staleTime: 30_000 });

export const personSessionsQuery = () => getQuery(sessionsKey, "/api/v1/me/sessions", {});

export const storedMailQuery = () => getQuery(["mail"], "/api/v1/mail", {}, { refetchInterval: 3_000 });

export const signUp = (body: Schemas["SignUpIn"]) => unwrap(client.POST("/api/v1/people", { body }));

export const requestPasswordReset = (email: string) =>
  unwrap(client.POST("/api/v1/people/password-reset", { body: { email } }));

export async function signIn(queries: QueryClient, body: Schemas["PasswordSignIn"]): Promise<void> {
  entered(queries, await unwrap(client.POST("/api/v1/session/person", { body })));
}

/** Sets a new password with the code from an email, and signs in. */
export async function choosePassword(queries: QueryClient, body: Schemas["NewPasswordIn"]): Promise<void> {
  entered(queries, await unwrap(client.PUT("/api/v1/people/password", { body })));
}

/** Opens the identity provider's sign-in page, which redirects back to /sign-in/return. */
export async function signInWithProvider(from: string): Promise<void> {
  redirectTo(await unwrap(client.POST("/api/v1/session/oidc")), from);
}

/** Opens the provider's page to connect it to the signed-in account. */
export async function connectIdentity(present: string, from: string): Promise<void> {
  redirectTo(await unwrap(client.POST("/api/v1/me/identities", { body: { present } })), from);
}

function redirectTo({ address }: Schemas["ElsewhereOut"], from: string): void {
  window.sessionStorage.setItem(FROM_KEY, from);
  window.location.assign(address);
}

/** Signs in with the provider's response. Returns the path of the page from which sign-in started. */
export async function finishProviderSignIn(queries: QueryClient, body: Schemas["ReturnIn"]): Promise<string> {
  entered(queries, await unwrap(client.POST("/api/v1/session/oidc/return", { body })));
  const from = window.sessionStorage.getItem(FROM_KEY) ?? "/";
  window.sessionStorage.removeItem(FROM_KEY);
  return from;
}

export const identitiesQuery = () => getQuery(identitiesKey, "/api/v1/me/identities", {});

export const disconnect = (queries: QueryClient, identity_id: string) =>
  storeAnswer(queries, identitiesKey, client.DELETE("/api/v1/me/identities/{identity_id}", inPath({ identity_id })));

/** Signs in with the code of the link that `make up` prints. */
export async function signInAsOwner(queries: QueryClient, code: string): Promise<void> {
  entered(queries, await unwrap(client.POST("/api/v1/session/local", { body: { code } })));
}

export async function changeName(queries: QueryClient, name: string): Promise<void> {
  await storeAnswer(queries, accountKey, client.PATCH("/api/v1/me", { body: { name } }));
  await queries.invalidateQueries({ queryKey: sessionKey });
}

export const changePassword = (body: Schemas["PasswordChangeIn"]) =>
  unwrap(client.PUT("/api/v1/me/password", { body }));

/** Deletes the account and reloads the start page, so that no data of the person remains in memory. */
export async function deleteAccount(present: string): Promise<void> {
  await unwrap(client.POST("/api/v1/me/delete", { body: { present } }));
  window.location.assign("/");
}

export const endSession = (queries: QueryClient, session_id: string) =>
  storeAnswer(queries, sessionsKey, client.DELETE("/api/v1/me/sessions/{session_id}", inPath({ session_id })));

export const endOtherSessions = (queries: QueryClient) =>
  storeAnswer(queries, sessionsKey, client.DELETE("/api/v1/me/sessions"));

export const secondFactorQuery = () => getQuery(secondFactorKey, "/api/v1/me/second-factor", {});

export const beginSecondFactor = (present: string) =>
  unwrap(client.POST("/api/v1/me/second-factor", { body: { present } }));

/** Returns the recovery codes; no later request does. Refetches data that depends on the second factor. */
export async function confirmSecondFactor(queries: QueryClient, code: string): Promise<string[]> {
  const { codes } = await unwrap(client.PUT("/api/v1/me/second-factor", { body: { code } }));
  await refetchAccount(queries);
  return codes;
}

export async function makeRecoveryCodes(queries: QueryClient, code: string): Promise<string[]> {
  const request = client.POST("/api/v1/me/second-factor/recovery-codes", { body: { code } });
  return (await refetchAfter(queries, secondFactorKey, request)).codes;
}

export const turnOffSecondFactor = (queries: QueryClient, present: string, code: string) =>
  refetchAfter(queries, accountKey, client.POST("/api/v1/me/second-factor/off", { body: { present, code } }));

/** Fetches the account and the session again, both of which show its organisations. */
export const refetchAccount = (queries: QueryClient) =>
  Promise.all([accountKey, sessionKey].map((queryKey) => queries.invalidateQueries({ queryKey })));

/** Returns whether the server requires a second-factor code, or rejected the code it received. */
export const needsSecondFactor = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.code === "second-factor-needed" || error.code === "second-factor-wrong");

export function entered(queries: QueryClient, session: Schemas["SessionOut"]): void {
  forgetData(queries);
  queries.setQueryData(sessionKey, session);
}
