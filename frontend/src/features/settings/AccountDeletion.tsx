// The end of the own account.
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { deleteAccount } from "@/api/account";
import { Failed } from "@/ui/states";
import { submits } from "@/ui/submits";
import classes from "./Settings.module.css";

export function AccountDeletion({ email }: { email: string }) {
  const [typed, setTyped] = useState("");
  const [password, setPassword] = useState("");
  const remove = useMutation({ mutationFn: () => deleteAccount(password) });
  return (
    <form className={`${classes["form"]} panel`} onSubmit={submits(() => remove.mutate())}>
      <h2>Delete the account</h2>
      <p>
        Everything that is stored of you is deleted at once. Your organisations keep runs and tokens, and their audit
        trails keep what you did.
      </p>
      <TextInput
        label={`Write “${email}” to delete it`}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <PasswordInput
        label="Your password, to delete the account"
        description="Leave it empty if you have none."
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {remove.error === null ? null : <Failed error={remove.error} what="The account" />}
      <Button
        type="submit"
        color="red"
        variant="outline"
        loading={remove.isPending}
        disabled={typed.trim().toLowerCase() !== email}
        className={classes["submit"] ?? ""}
      >
        Delete the account
      </Button>
    </form>
  );
}
