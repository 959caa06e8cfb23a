// Deletion of the reader's account.
import { PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { deleteAccount } from "@/api/account";
import { SubmitButton } from "@/ui/SubmitButton";
import { Section } from "./Section";

export function AccountDeletion({ email }: { email: string }) {
  const form = useForm({ initialValues: { typed: "", password: "" } });
  const remove = useMutation({ mutationFn: deleteAccount });
  return (
    <Section name="Delete the account">
      <form className="stack-12" onSubmit={form.onSubmit(({ password }) => remove.mutate(password))}>
        <p>
          Everything that is stored of you is deleted at once. Your organisations keep runs and tokens, and their audit
          trails keep what you did.
        </p>
        <TextInput label={`Write “${email}” to delete it`} autoComplete="off" {...form.getInputProps("typed")} />
        <PasswordInput
          label="Your password, to delete the account"
          description="Leave it empty if you have none."
          autoComplete="current-password"
          {...form.getInputProps("password")}
        />
        <SubmitButton
          mutation={remove}
          what="The account"
          color="red"
          variant="outline"
          disabled={form.values.typed.trim().toLowerCase() !== email}
          className="self-start"
        >
          Delete the account
        </SubmitButton>
      </form>
    </Section>
  );
}
