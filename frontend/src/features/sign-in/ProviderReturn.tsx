// Page to which the provider of single sign-on returns the browser.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { finishProviderSignIn } from "@/api/account";
import { Failed, Loading } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";

export function Return({ sent, onDone }: { sent: URLSearchParams; onDone: (from: string) => void }) {
  usePageTitle("Sign in");
  const enter = useMutation({
    mutationFn: (_: undefined, { client }) =>
      finishProviderSignIn(client, {
        code: sent.get("code") ?? "",
        state: sent.get("state") ?? "",
        iss: sent.get("iss"),
      }),
    onSuccess: onDone,
  });
  const { mutate } = enter;
  // The error code alone is used: an error text in the address could come from anyone.
  const error = sent.get("error") ?? "";
  const has = sent.has("code") && sent.has("state");
  // The link works once, so a second run of the effect must not use it again.
  const begun = useRef(false);
  useEffect(() => {
    if (has && !begun.current) {
      begun.current = true;
      mutate();
    }
  }, [has, mutate]);
  return (
    <section className="form entrance panel">
      <h1>Sign in</h1>
      {has && enter.error === null ? <Loading what="your account" /> : null}
      {has ? null : (
        <p>
          The provider did not sign you in
          {/^[a-z_]{1,40}$/.test(error) ? ` (${error.replaceAll("_", " ")})` : ""}.
        </p>
      )}
      <Failed error={enter.error} what="Signing in" />
      {has && enter.error === null ? null : <Link to="/sign-in">Try again</Link>}
    </section>
  );
}
