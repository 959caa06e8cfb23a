// Renders the button that sends a form, below the error of its request.
import { Button, type ButtonProps } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failed } from "./states";

type SubmitButtonProps = ButtonProps & {
  mutation: Pick<UseMutationResult, "error" | "isPending">;
  /** Subject of the error message: `The run`, as in "The run could not be shown". */
  what: string;
  children: ReactNode;
};

export function SubmitButton({ mutation, what, className = "self-start", ...button }: SubmitButtonProps) {
  return (
    <>
      <Failed error={mutation.error} what={what} />
      <Button type="submit" variant="filled" loading={mutation.isPending} className={className} {...button} />
    </>
  );
}
