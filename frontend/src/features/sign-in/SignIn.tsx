// Where the API wants to know who asks: a viewer's or an engineer's token opens a session in this browser.
import { Button, PasswordInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiProblem } from "@/api/problem";
import { openSession } from "@/api/queries";
import { Command } from "@/ui/Command";
import { usePageTitle } from "@/ui/usePageTitle";
import classes from "./SignIn.module.css";

export function SignIn({ onDone }: { onDone: () => void }) {
  usePageTitle("Sign in");
  const queries = useQueryClient();
  const [token, setToken] = useState("");
  const open = useMutation({ mutationFn: () => openSession(queries, token.trim()), onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== "") open.mutate();
  };
  return (
    <form className={`${classes["form"]} panel`} onSubmit={submit}>
      <h1>Sign in</h1>
      <p>This installation shows its runs to those who hold an access token.</p>
      <PasswordInput
        label="Access token"
        description="Begins with tlr_viewer_ or tlr_engineer_"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={token}
        onChange={(event) => setToken(event.currentTarget.value)}
        error={open.error === null ? null : refusal(open.error)}
      />
      <Button type="submit" loading={open.isPending} disabled={token.trim() === ""}>
        Sign in
      </Button>
      <div className={classes["help"]}>
        <p className="dim">No token? Whoever runs the server makes one:</p>
        <Command text="tailroom token create --organisation local --name my-browser --scope viewer" />
      </div>
    </form>
  );
}

function refusal(error: Error): string {
  if (error instanceof ApiProblem && error.status === 401) {
    return "This token is not known here. It may be mistyped or revoked.";
  }
  return error.message;
}
