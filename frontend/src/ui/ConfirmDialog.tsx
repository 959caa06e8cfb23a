// Renders a confirmation dialog for a consequential action. Cancelling is focused first.
import { Button, type ButtonProps } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Dialog } from "./Dialog";
import { Failed } from "./states";

type ConfirmDialogProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Called without an argument. The caller closes the dialog on success. */
  mutation: { mutate: () => void; isPending: boolean; error: Error | null };
  /** Subject of the error message: `The run`, as in "The run could not be shown". */
  what: string;
  confirm: string;
  keep?: string;
  /** The action loses no data, so its button is not red. */
  harmless?: boolean;
  children?: ReactNode;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, mutation, what, confirm, keep = "Keep it", harmless = false, children } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <form
        className="stack-12 wrap-anywhere"
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        {children}
        <Failed error={mutation.error} what={what} />
        <div className="row">
          <Button onClick={onClose} data-autofocus>
            {keep}
          </Button>
          <Button variant="filled" type="submit" {...(harmless ? {} : { color: "red" })} loading={mutation.isPending}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type ConfirmButtonProps = Omit<ConfirmDialogProps, "opened" | "onClose" | "mutation" | "title" | "harmless"> & {
  label: string;
  /** Accessible label, if several rows have the same visible label. */
  name?: string;
  /** Title of the dialog; by default the name as a question. */
  title?: string;
  action: () => Promise<unknown>;
};

export function ConfirmButton({ label, name = label, title = `${name}?`, action, ...dialog }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  const mutation = useMutation({ mutationFn: action, onSuccess: () => setAsking(false) });
  return (
    <>
      <RowButton label={label} name={name} onClick={() => setAsking(true)} />
      <ConfirmDialog {...dialog} title={title} mutation={mutation} opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}

type RowButtonProps = ButtonProps & { label: string; name: string; onClick: () => void };

/** Renders a small button of a row; `name`: accessible label, which includes the row. */
export const RowButton = ({ label, name, ...button }: RowButtonProps) => (
  <Button size="compact-xs" aria-label={name} {...button}>
    {label}
  </Button>
);
