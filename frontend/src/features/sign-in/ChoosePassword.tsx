// Target of the links in e-mails: choose the password of a new or an existing account.
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { choosePassword, needsSecondFactor, optionsQuery } from "@/api/account";
import { codeOf } from "@/api/problem";
import { CodeInput } from "@/ui/CodeInput";
import { PasswordLength } from "@/ui/PasswordLength";
import { Failed } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";

/** Asks for a password; `code`: code in the fragment of the address. */
export function ChoosePassword({ code, onDone }: { code: string; onDone: () => void }) {
  usePageTitle("Choose a password");
  const options = useQuery(optionsQuery());
  const form = useForm({ initialValues: { name: "", password: "", factor: "" } });
  const [asksCode, setAsksCode] = useState(false);
  const choose = useMutation({
    mutationFn: ({ factor, ...values }: typeof form.values, { client }) =>
      choosePassword(client, { code, ...values, second_factor: factor === "" ? null : factor }),
    onSuccess: onDone,
    onError: (error) => setAsksCode((before) => before || needsSecondFactor(error)),
  });
  const isOfCode = needsSecondFactor(choose.error);
  const isWeak = codeOf(choose.error) === "password-weak";
  if (code === "") {
    return (
      <section className="form entrance panel">
        <h1>Choose a password</h1>
        <p>The address has no code. Open the link of the mail, or copy it whole.</p>
        <Link to="/forgot">Ask for another mail</Link>
      </section>
    );
  }
  return (
    <form className="form entrance panel" onSubmit={form.onSubmit((values) => choose.mutate(values))}>
      <h1>Choose a password</h1>
      <TextInput
        label="Your name"
        description="As members of your organisation see it. May stay empty; a new password leaves it as it is."
        autoComplete="name"
        maxLength={100}
        {...form.getInputProps("name")}
      />
      <PasswordInput
        label="Password"
        description={`At least ${options.data?.least_characters ?? 12} characters. A few unrelated words make a good one.`}
        autoComplete="new-password"
        required
        {...form.getInputProps("password")}
        error={isWeak ? choose.error?.message : null}
      />
      <PasswordLength password={form.values.password} least={options.data?.least_characters ?? 12} />
      {asksCode ? (
        <CodeInput
          label="Code"
          description="Six digits of your app, or a recovery code"
          {...form.getInputProps("factor")}
          error={isOfCode && form.values.factor !== "" ? (choose.error?.message ?? null) : null}
        />
      ) : null}
      {choose.error === null || isWeak || isOfCode ? null : <Failed error={choose.error} what="The password" />}
      {codeOf(choose.error) === "code-unknown" ? <Link to="/forgot">Ask for another mail</Link> : null}
      <Button variant="filled" type="submit" loading={choose.isPending}>
        Store the password
      </Button>
    </form>
  );
}
