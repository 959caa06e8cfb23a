// Button that chooses files of the reader's machine, or a folder.
import { Button, type ButtonProps, FileButton } from "@mantine/core";
import type { ReactNode } from "react";

type FilesButtonProps = ButtonProps & {
  /** Name of the files, for assistive technology. */
  label: string;
  /** Accepted names and media types, as in `accept` of an input. */
  accept?: string;
  /** Chooses one file instead of several. */
  isSingle?: boolean;
  ofFolder?: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
};

export const FilesButton = ({ label, accept, isSingle, ofFolder, onFiles, ...button }: FilesButtonProps) => (
  <FileButton
    multiple
    inputProps={{
      "aria-label": label,
      accept,
      ...(isSingle && { multiple: false }),
      ...(ofFolder && { webkitdirectory: "" }),
      // Clearing the input allows the same file to be chosen again, after it has grown or was corrected.
      onClick: ({ currentTarget }) => {
        currentTarget.value = "";
      },
    }}
    onChange={onFiles}
  >
    {(props) => <Button {...props} {...button} />}
  </FileButton>
);
