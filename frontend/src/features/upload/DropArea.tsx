// Drop area for files, which may also be chosen; files can be dropped anywhere on the page.
import "@mantine/dropzone/styles.css";
import { Group } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { Link } from "@tanstack/react-router";
import { withoutSystemFiles } from "@/entities/upload/transfers";
import { IconFile, IconUpload } from "@/ui/icons";
import classes from "./DropArea.module.css";
import { FilesButton } from "./FilesButton";

type DropAreaProps = {
  onFiles: (files: File[]) => void;
  /** Whether to render a smaller area, beside other content. */
  compact: boolean;
};

export function DropArea({ onFiles, compact }: DropAreaProps) {
  const size = compact ? "xs" : "sm";
  return (
    <>
      <Dropzone.FullScreen
        active
        withinPortal={false}
        activateOnClick={false}
        activateOnKeyboard={false}
        onDrop={(dropped) => onFiles(withoutSystemFiles(dropped))}
        className={classes["screen"] ?? ""}
        // Keyboard users choose files by the buttons below.
        inputProps={{ "aria-hidden": true, tabIndex: -1 }}
      >
        <p className={classes["release"]} aria-hidden="true">
          <IconUpload size={32} />
          Release to send these files
        </p>
      </Dropzone.FullScreen>
      <section className={classes["area"]} data-compact={compact || undefined} aria-label="Send files">
        <span style={{ display: "flex", color: "var(--accent)" }}>
          <IconUpload size={compact ? 20 : 28} />
        </span>
        <div className={classes["words"]}>
          <p className={classes["call"]}>
            {compact ? "Drop more files on this page" : "Drop result files anywhere on this page"}
          </p>
          <p className="dim">
            Private until you publish. What is dropped together is read together.{" "}
            <Link to="/formats">Supported formats</Link>
          </p>
        </div>
        <Group justify="center" align="stretch" gap={8}>
          <FilesButton
            label="Files to send"
            onFiles={onFiles}
            variant="filled"
            size={size}
            leftSection={<IconFile size={14} />}
          >
            Choose files
          </FilesButton>
          <FilesButton label="Folder to send" ofFolder onFiles={onFiles} size={size}>
            Choose a folder
          </FilesButton>
        </Group>
      </section>
    </>
  );
}
