// Drop area for files, which may also be chosen; files can be dropped anywhere on the page.
import "@mantine/dropzone/styles.css";
import { Group } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { Link } from "@tanstack/react-router";
import { FilesButton } from "@/ui/FilesButton";
import { IconFile, IconUpload } from "@/ui/icons";

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
        onDrop={onFiles}
        styles={{ root: { border: "4px dashed var(--accent)", background: "var(--canvas)", opacity: 0.9 } }}
        // Keyboard users choose files by the buttons below.
        inputProps={{ "aria-hidden": true, tabIndex: -1 }}
      >
        <p className="icon-text accent strong" aria-hidden="true">
          <IconUpload size={32} />
          Release to send these files
        </p>
      </Dropzone.FullScreen>
      <section
        className="card wrap between"
        style={{ alignItems: "center", padding: compact ? "12px 16px" : "40px 24px", border: "2px dashed var(--axis)" }}
        aria-label="Send files"
      >
        <span className="accent">
          <IconUpload size={compact ? 20 : 28} />
        </span>
        <div style={{ flex: "1 1 240px" }}>
          <p className={compact ? "strong" : "strong medium"}>
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
