// Sign-in with e-mail address and password, a passkey, single sign-on, or an access token.
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { isNotEmpty, useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { needsSecondFactor, optionsQuery, signIn, signInWithProvider } from "@/api/account";
import { answerOfPasskey, hasPasskeys, signInWithPasskey } from "@/api/passkeys";
import { ApiProblem } from "@/api/problem";
import { openSession } from "@/api/queries";
import { CodeInput } from "@/ui/CodeInput";
import { Command } from "@/ui/Command";
import { Failed } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";

export function SignIn({ from, onDone }: { from: string; onDone: () => void }) {
  usePageTitle("Sign in");
  const [way, setWay] = useState<"person" | "token">("person");
  return (
    <div className="form entrance panel">
      <h1>Sign in</h1>
      {way === "person" ? <PersonForm from={from} onDone={onDone} /> : <TokenForm onDone={onDone} />}
      <Button
        variant="subtle"
        size="compact-sm"
        className="self-start"
        onClick={() => setWay(way === "person" ? "token" : "person")}
      >
        {way === "person" ? "Use an access token instead" : "Use e-mail address and password instead"}
      </Button>
    </div>
  );
}

function PersonForm({ from, onDone }: { from: string; onDone: () => void }) {
  const options = useQuery(optionsQuery());
  const form = useForm({ initialValues: { email: "", password: "", code: "" } });
  const { email, password, code } = form.values;
  const [asksCode, setAsksCode] = useState(false);
  const enter = useMutation({
    mutationFn: (_: undefined, { client }) =>
      signIn(client, { email: email.trim(), password, second_factor: code === "" ? null : code }),
    onSuccess: onDone,
    onError: (error) => setAsksCode((before) => before || needsSecondFactor(error)),
  });
  const pass = useMutation({
    mutationFn: async (besides: { email: string; password: string } | null, { client }) =>
      besides === null ? signInWithPasskey(client) : signIn(client, { ...besides, passkey: await answerOfPasskey() }),
    onSuccess: onDone,
  });
  const isOfCode = needsSecondFactor(enter.error);
  return (
    <form className="stack-16" onSubmit={form.onSubmit(() => enter.mutate())}>
      <TextInput
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        data-autofocus
        {...form.getInputProps("email")}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        {...form.getInputProps("password")}
        error={enter.error === null || isOfCode ? null : enter.error.message}
      />
      {asksCode ? (
        <CodeInput
          label="Code"
          description="Six digits of your app, or a recovery code"
          {...form.getInputProps("code")}
          error={isOfCode && code !== "" ? (enter.error?.message ?? null) : null}
        />
      ) : null}
      <Button variant="filled" type="submit" loading={enter.isPending}>
        Sign in
      </Button>
      {hasPasskeys() ? (
        <>
          <Button
            loading={pass.isPending}
            onClick={() => pass.mutate(asksCode ? { email: email.trim(), password } : null)}
          >
            {asksCode ? "Use a passkey instead of a code" : "Sign in with a passkey"}
          </Button>
          <Failed error={pass.error} what="The passkey" />
        </>
      ) : null}
      {options.data?.single_sign_on == null ? null : <ProviderButton name={options.data.single_sign_on} from={from} />}
      <p>
        <Link to="/forgot">Forgot the password</Link>
        {options.data?.sign_up === "open" ? (
          <>
            {" · "}
            <Link to="/sign-up">Sign up</Link>
          </>
        ) : null}
      </p>
      {options.data?.sign_up === "invited" ? (
        <p className="dim">No account? People join this installation by invitation.</p>
      ) : null}
    </form>
  );
}

function ProviderButton({ name, from }: { name: string; from: string }) {
  const leave = useMutation({ mutationFn: () => signInWithProvider(from) });
  return (
    <>
      <Button loading={leave.isPending} onClick={() => leave.mutate()}>
        {`Sign in with ${name}`}
      </Button>
      <Failed error={leave.error} what={name} />
    </>
  );
}

function TokenForm({ onDone }: { onDone: () => void }) {
  const form = useForm({ initialValues: { token: "" }, validate: { token: isNotEmpty() } });
  const open = useMutation({
    mutationFn: (token: string, { client }) => openSession(client, token.trim()),
    onSuccess: onDone,
  });
  return (
    <form className="stack-16" onSubmit={form.onSubmit(({ token }) => open.mutate(token))}>
      <PasswordInput
        label="Access token"
        description="Begins with tlr_viewer_ or tlr_engineer_"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps("token")}
        error={open.error === null ? null : refusal(open.error)}
      />
      <Button variant="filled" type="submit" loading={open.isPending} disabled={form.values.token.trim() === ""}>
        Sign in
      </Button>
      <div className="stack-8 items-start">
        <p className="dim">No token? An operator makes one:</p>
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
