import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { runDetail } from "@/test/fixtures";
import { show } from "@/test/render";
import { OtherOperations } from "./OtherOperations";

const [series] = runDetail().series;
const counts = (...operations: string[]) => ({ series: operations.map((operation) => ({ ...series!, operation })) });

describe("a run without the operation of the question", () => {
  it("offers its own operations, by the names that their program gives them", async () => {
    const onChoose = vi.fn();
    show(<OtherOperations run={counts("http_request_seconds", "get")} op="read" onChoose={onChoose} />);
    expect(document.body.textContent).toContain(
      "This run has no reads. Ask about http_request_seconds operations or gets.",
    );
    await userEvent.click(screen.getByRole("button", { name: "http_request_seconds operations" }));
    expect(onChoose).toHaveBeenCalledWith({ op: "http_request_seconds", clock: undefined });
  });

  it("says nothing where the run has the operation", () => {
    show(<OtherOperations run={counts("read", "write")} op="read" onChoose={() => {}} />);
    expect(document.body.textContent).not.toContain("Ask about");
  });
});
