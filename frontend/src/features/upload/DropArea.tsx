// Drop area for files, which may also be chosen; files can be dropped anywhere on the page.
import "@mantine/dropzone/styles.css";
import { Button, Group } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { withoutSystemFiles } from "@/entities/upload/transfers";
import { IconFile, IconUpload } from "@/ui/icons";
import classes from "./DropArea.module.css";

type DropAreaProps = {
  onFiles: (files: File[]) => void;
  /** Whether to render a smaller area, beside other content. */
  compact: boolean;
};

export function DropArea({ onFiles, compact }: DropAreaProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    onFiles(withoutSystemFiles(input.files ?? []));
    // Clearing the input allows the same file to be chosen again, for example after it has grown.
    input.value = "";
  };
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
          <Button
            variant="filled"
            size={compact ? "xs" : "sm"}
            leftSection={<IconFile size={14} />}
            onClick={() => files.current?.click()}
          >
            Choose files
          </Button>
          <Button size={compact ? "xs" : "sm"} onClick={() => folder.current?.click()}>
            Choose a folder
          </Button>
          <input
            ref={files}
            type="file"
            multiple
            hidden
            aria-label="Files to send"
            onChange={(event) => take(event.currentTarget)}
          />
          <input
            ref={folder}
            type="file"
            hidden
            aria-label="Folder to send"
            {...{ webkitdirectory: "" }}
            onChange={(event) => take(event.currentTarget)}
          />
        </Group>
      </section>
    </>
  );
}
