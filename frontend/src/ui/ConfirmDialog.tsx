// A question before something ends or is deleted, with what follows from it; the way back is the first choice.
import { Button } from "@mantine/core";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import classes from "./ConfirmDialog.module.css";
import { Dialog } from "./Dialog";
import { Failed } from "./states";
import { submits } from "./submits";

type ConfirmDialogProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Called without an argument; the caller closes the dialog when it succeeds. */
  mutation: Pick<UseMutationResult<unknown, Error, void>, "mutate" | "isPending" | "error">;
  /** What could not be done, as the subject of an error. */
  what: string;
  confirm: string;
  keep: string;
  /** Nothing is lost by it. */
  harmless?: boolean;
  children?: ReactNode;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, mutation, what, confirm, keep, harmless = false, children } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <form className={classes["dialog"]} onSubmit={submits(() => mutation.mutate())}>
        {children}
        <Failed error={mutation.error} what={what} />
        <div className="row">
          <Button variant="default" onClick={onClose} data-autofocus>
            {keep}
          </Button>
          <Button type="submit" {...(harmless ? {} : { color: "red" })} loading={mutation.isPending}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type ConfirmButtonProps = Omit<ConfirmDialogProps, "opened" | "onClose" | "mutation"> & {
  label: string;
  /** The label for assistive technology, where several rows have equal labels. */
  name?: string;
  action: () => Promise<unknown>;
};

/** A button that asks before it acts. */
export function ConfirmButton({ label, name, action, ...dialog }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  const mutation = useMutation({ mutationFn: action, onSuccess: () => setAsking(false) });
  return (
    <>
      <Button size="compact-xs" variant="default" aria-label={name} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog {...dialog} mutation={mutation} opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}
