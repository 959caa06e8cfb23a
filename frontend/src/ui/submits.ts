import type { FormEvent } from "react";

/** Return a form's submit handler: the action in place of the browser's own submission. */
export const submits =
  (action: () => void) =>
  (event: FormEvent): void => {
    event.preventDefault();
    action();
  };
