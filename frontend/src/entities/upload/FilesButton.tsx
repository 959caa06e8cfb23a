// Button that chooses files to send, or a folder.
import { Button, type ButtonProps, FileButton } from "@mantine/core";
import type { ReactNode } from "react";
import { withoutSystemFiles } from "./transfers";

type FilesButtonProps = ButtonProps & {
  /** Name of the files, for assistive technology. */
  label: string;
  ofFolder?: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
};

export const FilesButton = ({ label, ofFolder = false, onFiles, ...button }: FilesButtonProps) => (
  <FileButton
    multiple
    inputProps={{
      "aria-label": label,
      ...(ofFolder && { webkitdirectory: "" }),
      // Clearing the input allows the same file to be chosen again, for example after it has grown.
      onClick: ({ currentTarget }) => {
        currentTarget.value = "";
      },
    }}
    onChange={(files) => onFiles(withoutSystemFiles(files))}
  >
    {(props) => <Button {...props} {...button} />}
  </FileButton>
);
