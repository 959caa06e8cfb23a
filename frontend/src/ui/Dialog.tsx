// Renders a modal dialog with an accessible name. Mantine's own header is left out, as it would be a second banner
// landmark.
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

type DialogProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Hides the title visually and leaves out the frame around the content. */
  bare?: boolean;
  children: ReactNode;
};

export function Dialog({ opened, onClose, title, bare = false, children }: DialogProps) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      centered={!bare}
      size={bare ? "lg" : "md"}
      {...(bare ? { yOffset: "12vh" } : {})}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        {bare ? (
          children
        ) : (
          <>
            <div className="row between" style={{ padding: "16px 16px 8px" }}>
              <h2>{title}</h2>
              <Modal.CloseButton aria-label="Close" />
            </div>
            <div style={{ padding: "0 16px 16px" }}>{children}</div>
          </>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}
