import type { FormEvent } from "react";

/** Returns a form's submit handler that runs `action` instead of the browser's submission. */
export const submits =
  (action: () => void) =>
  (event: FormEvent): void => {
    event.preventDefault();
    action();
  };
