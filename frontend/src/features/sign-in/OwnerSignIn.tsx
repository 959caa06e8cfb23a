// Target of the link that `make up` prints: signs in the owner of this machine, once.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { signInAsOwner } from "@/api/account";
import { Command } from "@/ui/Command";
import { Failed, Loading } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";

export function OwnerSignIn({ code, onDone }: { code: string; onDone: () => void }) {
  usePageTitle("Sign in");
  const enter = useMutation({
    mutationFn: (_: undefined, { client }) => signInAsOwner(client, code),
    onSuccess: onDone,
  });
  const { mutate } = enter;
  // The link works once, so a second run of the effect must not use it again.
  const begun = useRef(false);
  useEffect(() => {
    if (!begun.current) {
      begun.current = true;
      mutate();
    }
  }, [mutate]);
  return (
    <section className="form entrance panel">
      <h1>Sign in</h1>
      {enter.error === null ? (
        <Loading what="your account" />
      ) : (
        <>
          <Failed error={enter.error} what="The link" />
          <p>A link works once. This makes another one:</p>
          <Command text="tailroom people link" />
          <Link to="/">Go on without</Link>
        </>
      )}
    </section>
  );
}
