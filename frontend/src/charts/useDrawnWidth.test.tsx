import { act, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { useDrawnWidth } from "./useDeferredDrawing";

const SCREEN_PX = 1390;

function Picture() {
  const { ref, width } = useDrawnWidth();
  return (
    <div ref={ref} role="img">
      {width}
    </div>
  );
}

it("a picture is printed no wider than paper, from a screen of any width", async () => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(readonly report: (entries: object[]) => void) {}
      observe = () => this.report([{ contentRect: { width: SCREEN_PX, height: 264 } }]);
      unobserve() {}
      disconnect() {}
    },
  );
  show(<Picture />);
  const picture = screen.getByRole("img");
  await vi.waitFor(() => expect(picture.textContent).toBe("1390"));
  window.dispatchEvent(new Event("beforeprint"));
  expect(picture.textContent).toBe("718");
  act(() => {
    window.dispatchEvent(new Event("afterprint"));
  });
  expect(picture.textContent).toBe("1390");
  vi.unstubAllGlobals();
});
