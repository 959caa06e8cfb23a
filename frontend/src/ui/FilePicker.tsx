// Button that opens a file of the reader's machine.
import { Button, FileButton } from "@mantine/core";
import type { ReactNode } from "react";

type FilePickerProps = {
  /** Accepted names and media types, as in `accept` of an input. */
  accept: string;
  /** Name of the file in words, for screen readers. */
  label: string;
  onFile: (file: File) => void;
  loading?: boolean;
  children: ReactNode;
};

export const FilePicker = ({ accept, label, onFile, loading, children }: FilePickerProps) => (
  <FileButton
    accept={accept}
    inputProps={{
      "aria-label": label,
      // Browsers report no change for the file that the input has, which may have been corrected meanwhile.
      onClick: ({ currentTarget }) => {
        currentTarget.value = "";
      },
    }}
    onChange={(file) => {
      if (file !== null) onFile(file);
    }}
  >
    {(props) => (
      <Button {...props} size="xs" {...(loading === undefined ? {} : { loading })}>
        {children}
      </Button>
    )}
  </FileButton>
);
