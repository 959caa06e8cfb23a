// People: signing up and in, the own account, its sessions.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { components } from "./generated/schema";
import { forgetData, sessionKey } from "./queries";

type Schemas = components["schemas"];
export type Account = Schemas["AccountOut"];
export type PersonSession = Schemas["PersonSessionOut"];
export type StoredMail = Schemas["MailOut"];

export const accountKey = ["account"] as const;
const sessionsKey = ["account", "sessions"] as const;

export const optionsQuery = () =>
  queryOptions({
    queryKey: ["sign-in-options"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/sign-in-options", { signal })),
    staleTime: 60_000,
  });

export const accountQuery = () =>
  queryOptions({
    queryKey: accountKey,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/me", { signal })),
    staleTime: 30_000,
  });

export const personSessionsQuery = () =>
  queryOptions({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/me/sessions", { signal })),
  });

export const storedMailQuery = () =>
  queryOptions({
    queryKey: ["mail"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/mail", { signal })),
    refetchInterval: 3_000,
  });

export const signUp = (body: Schemas["SignUpIn"]) => unwrap(client.POST("/api/v1/people", { body }));

export const askReset = (email: string) => unwrap(client.POST("/api/v1/people/password-reset", { body: { email } }));

export async function signIn(queries: QueryClient, email: string, password: string): Promise<void> {
  entered(queries, await unwrap(client.POST("/api/v1/session/person", { body: { email, password } })));
}

/** With the code of a mail; signs in. */
export async function choosePassword(queries: QueryClient, body: Schemas["NewPasswordIn"]): Promise<void> {
  entered(queries, await unwrap(client.PUT("/api/v1/people/password", { body })));
}

export async function changeName(queries: QueryClient, name: string): Promise<void> {
  queries.setQueryData(accountKey, await unwrap(client.PATCH("/api/v1/me", { body: { name } })));
  await queries.invalidateQueries({ queryKey: sessionKey });
}

export const changePassword = (body: Schemas["PasswordChangeIn"]) =>
  unwrap(client.PUT("/api/v1/me/password", { body }));

export async function endSession(queries: QueryClient, sessionId: string): Promise<void> {
  const path = { session_id: sessionId };
  const left = await unwrap(client.DELETE("/api/v1/me/sessions/{session_id}", { params: { path } }));
  queries.setQueryData(sessionsKey, left);
}

export async function endOtherSessions(queries: QueryClient): Promise<void> {
  queries.setQueryData(sessionsKey, await unwrap(client.DELETE("/api/v1/me/sessions")));
}

function entered(queries: QueryClient, session: Schemas["SessionOut"]): void {
  forgetData(queries);
  queries.setQueryData(sessionKey, session);
}
