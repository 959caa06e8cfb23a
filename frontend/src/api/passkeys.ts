// Passkeys: passes challenges of the API to the browser's authenticator and returns its responses.
import type { QueryClient } from "@tanstack/react-query";
import { entered, secondFactorKey } from "./account";
import { client, getQuery, inPath, storeAnswer, unwrap } from "./client";
import type { Schemas } from "./types";

type Credential = Schemas["PasskeyAnswerIn"]["credential"];

const passkeysKey = ["account", "passkeys"] as const;

/** Returns whether passkeys work here. Browsers create them for host names, not for IP addresses such as 127.0.0.1. */
export const hasPasskeys = (): boolean =>
  typeof window.PublicKeyCredential?.parseCreationOptionsFromJSON === "function" &&
  !/^[\d.]+$|^\[/.test(window.location.hostname);

export const passkeysQuery = () => getQuery(passkeysKey, "/api/v1/me/passkeys", {});

/** Creates a passkey. Returns recovery codes if it is the first second factor, else an empty list. */
export async function makePasskey(queries: QueryClient, present: string, name: string): Promise<string[]> {
  const { options } = await unwrap(client.POST("/api/v1/me/passkey-challenge", { body: { present } }));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = asRequested(await navigator.credentials.create({ publicKey }));
  const made = await unwrap(client.POST("/api/v1/me/passkeys", { body: { name, credential } }));
  queries.setQueryData(passkeysKey, { passkeys: made.passkeys });
  await queries.invalidateQueries({ queryKey: secondFactorKey });
  return made.recovery_codes;
}

export const renamePasskey = (queries: QueryClient, passkey_id: string, name: string) => {
  const options = { ...inPath({ passkey_id }), body: { name } };
  return storeAnswer(queries, passkeysKey, client.PATCH("/api/v1/me/passkeys/{passkey_id}", options));
};

export async function removePasskey(queries: QueryClient, passkey_id: string, present: string): Promise<void> {
  const options = { ...inPath({ passkey_id }), body: { present } };
  await storeAnswer(queries, passkeysKey, client.POST("/api/v1/me/passkeys/{passkey_id}/remove", options));
  await queries.invalidateQueries({ queryKey: secondFactorKey });
}

/** Returns the authenticator's response to a new challenge. */
export async function answerOfPasskey(): Promise<Credential> {
  const { options } = await unwrap(client.POST("/api/v1/session/passkey/challenge"));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return asRequested(await navigator.credentials.get({ publicKey }));
}

export async function signInWithPasskey(queries: QueryClient): Promise<void> {
  const credential = await answerOfPasskey();
  entered(queries, await unwrap(client.POST("/api/v1/session/passkey", { body: { credential } })));
}

function asRequested(credential: unknown): Credential {
  if (!(credential instanceof PublicKeyCredential)) throw new Error("The device gave no passkey.");
  return { ...credential.toJSON() };
}
