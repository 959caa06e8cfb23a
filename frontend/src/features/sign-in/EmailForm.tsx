// Sign-up and forgotten password: both send an e-mail with a link.
import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { optionsQuery, requestPasswordReset, signUp } from "@/api/account";
import { SubmitButton } from "@/ui/SubmitButton";
import { usePageTitle } from "@/ui/usePageTitle";

export function SignUp() {
  usePageTitle("Sign up");
  const options = useQuery(optionsQuery());
  const form = useForm({ initialValues: { organisation: "" } });
  if (options.data?.sign_up === "invited") {
    return (
      <section className="form entrance panel">
        <h1>Sign up</h1>
        <p>People join this installation by invitation. Ask an owner or an admin of your organisation for one.</p>
        <Link to="/sign-in">Sign in</Link>
      </section>
    );
  }
  return (
    <EmailForm title="Sign up" ask={(email) => signUp({ email, ...form.values })}>
      <p>You get a mail with a link. It leads to your password and to an organisation of your own.</p>
      <TextInput
        label="Organisation"
        description="Your runs belong to it. Only its members see them."
        autoComplete="organization"
        maxLength={100}
        required
        {...form.getInputProps("organisation")}
      />
    </EmailForm>
  );
}

export function PasswordReset() {
  usePageTitle("Forgot the password");
  return (
    <EmailForm title="Forgot the password" ask={requestPasswordReset}>
      <p>You get a mail with a link. It leads to a new password and ends every session.</p>
    </EmailForm>
  );
}

type AskMailProps = {
  title: string;
  ask: (email: string) => Promise<{ detail: string }>;
  children: ReactNode;
};

/** Shows that a mail was sent, and where it is stored without a mail server. */
export function MailSent({ detail }: { detail: string }) {
  const options = useQuery(optionsQuery());
  return (
    <>
      <p role="status">{detail}</p>
      {options.data?.mail === "stored" ? (
        <p>
          No mail server is set here. The owner of the machine that runs Tailroom finds the mail at{" "}
          <Link to="/mail">/mail</Link>.
        </p>
      ) : null}
    </>
  );
}

function EmailForm({ title, ask, children }: AskMailProps) {
  const form = useForm({ initialValues: { email: "" } });
  const request = useMutation({ mutationFn: ask });
  return (
    <form className="form entrance panel" onSubmit={form.onSubmit(({ email }) => request.mutate(email.trim()))}>
      <h1>{title}</h1>
      {request.data === undefined ? (
        <>
          {children}
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps("email")}
          />
          <SubmitButton mutation={request} what="The mail" style={{ justifySelf: "stretch" }}>
            Send the link
          </SubmitButton>
          <p>
            <Link to="/sign-in">Sign in</Link>
          </p>
        </>
      ) : (
        <MailSent detail={request.data.detail} />
      )}
    </form>
  );
}
