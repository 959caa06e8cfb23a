import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { UploadedRun } from "@/api/types";
import { runDetail } from "@/test/fixtures";
import { show } from "@/test/render";
import { DisclosureForm } from "./DisclosureForm";

const CORES = "host.cpu.cores";
const FIRMWARE = "host.block_devices.*.firmware";

const run = (runId: string, changes: Partial<UploadedRun["disclosure"]> = {}): UploadedRun =>
  ({
    run_id: runId,
    title: runId,
    disclosure: {
      required_count: 4,
      given_count: 2,
      missing: [
        { field: CORES, label: "processor cores" },
        { field: FIRMWARE, label: "drive firmware" },
      ],
      disclosed: [],
      ...changes,
    },
  }) as unknown as UploadedRun;

/** Replaces `fetch` and records the requests. */
function network(answer: (url: string) => Response) {
  const asked: { url: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push({ url: new URL(request.url).pathname, body: JSON.parse(await request.text()) });
    return answer(request.url);
  });
  return asked;
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

describe("the form of missing facts", () => {
  it("asks for the unit of latencies only where the files can be read again", () => {
    const missing = [
      { field: "tool.latency_unit", label: "unit of the latencies" },
      { field: CORES, label: "processor cores" },
    ];
    const { unmount } = show(<DisclosureForm uploadId="upload" run={run("unit", { missing })} others={[]} open />);
    expect(screen.getByText("Unit of the latencies")).toBeTruthy();
    unmount();
    show(<DisclosureForm uploadId={null} run={run("unit", { missing })} others={[]} open />);
    expect(screen.queryByText("Unit of the latencies")).toBeNull();
    expect(screen.getByLabelText("Cores")).toBeTruthy();
  });

  it("saves what can be read, keeps what cannot in its field, and says so there", async () => {
    const asked = network(() => json(runDetail()));
    const user = userEvent.setup();
    show(<DisclosureForm uploadId="upload" run={run("partial")} others={[]} open />);
    expect(screen.getByText("2 of 4 given")).toBeTruthy();
    await user.type(screen.getByLabelText("Firmware"), "KMK1");
    await user.type(screen.getByLabelText("Cores"), "many");
    await user.click(screen.getByRole("button", { name: "Save 1 answer" }));
    await waitFor(() =>
      expect(asked).toEqual([{ url: "/api/v1/runs/partial/disclosure", body: { answers: { [FIRMWARE]: "KMK1" } } }]),
    );
    expect(screen.getByText("“many” is not a whole number.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Cores").value).toBe("many");
  });

  it("shows a refusal of the server at the field that it is about", async () => {
    network(() =>
      json(
        {
          status: 422,
          code: "disclosure-invalid",
          title: "An answer cannot be taken",
          detail: "1 answers cannot be taken",
          problems: [{ field: FIRMWARE, reason: "an answer has 1 to 2000 characters" }],
        },
        422,
      ),
    );
    const user = userEvent.setup();
    show(<DisclosureForm uploadId="upload" run={run("refused")} others={[]} open />);
    await user.type(screen.getByLabelText("Firmware"), "KMK1");
    await user.click(screen.getByRole("button", { name: "Save 1 answer" }));
    expect(await screen.findByText("an answer has 1 to 2000 characters")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Firmware").value).toBe("KMK1");
  });

  it("asks first for what a verdict needs, and has the files read again with a unit", async () => {
    const asked = network(() => json({ upload_id: "upload", runs: [] }));
    const user = userEvent.setup();
    const missing = [
      { field: CORES, label: "processor cores" },
      { field: "tool.latency_unit", label: "unit of the latencies" },
      { field: "tool.loop", label: "open or closed load" },
    ];
    show(<DisclosureForm uploadId="upload" run={run("unknown", { missing })} others={[]} open={false} />);
    expect(screen.getByRole("note").textContent).toContain("unit of the latencies, kind of load");
    const form = within(screen.getByRole("group", { name: "Needed for a verdict" }));
    await user.selectOptions(form.getByLabelText("Unit of the latencies"), "ms");
    await user.selectOptions(form.getByLabelText("Kind of load"), "open");
    await user.click(screen.getByRole("button", { name: "Save 2 answers" }));
    await waitFor(() =>
      expect(asked).toEqual([
        {
          url: "/api/v1/uploads/upload/answers",
          body: { answers: { "tool.latency_unit": "ms", "tool.loop": "open" }, run_id: "unknown" },
        },
      ]),
    );
  });

  it("keeps what was typed when one looks at something else meanwhile", async () => {
    const user = userEvent.setup();
    const first = show(<DisclosureForm uploadId="upload" run={run("left")} others={[]} open />);
    await user.type(screen.getByLabelText("Firmware"), "KMK1");
    first.unmount();
    show(<DisclosureForm uploadId="upload" run={run("left")} others={[]} open />);
    expect(screen.getByLabelText<HTMLInputElement>("Firmware").value).toBe("KMK1");
  });

  it("gives saved answers to other runs of the upload by one click", async () => {
    const asked = network(() => json(runDetail()));
    const user = userEvent.setup();
    const told = { field: FIRMWARE, label: "drive firmware", value: "KMK1", answered_at: "2026-11-20T12:00:00Z" };
    const own = run("own", { missing: [{ field: CORES, label: "processor cores" }], disclosed: [told] });
    show(<DisclosureForm uploadId="upload" run={own} others={[run("second"), run("third", { missing: [] })]} open />);
    const form = within(screen.getByRole("group", { name: "Drive and firmware" }));
    expect(form.getByLabelText<HTMLInputElement>("Firmware").value).toBe("KMK1");
    await user.click(screen.getByRole("button", { name: "Use the saved answers for 1 other run of this upload" }));
    await waitFor(() =>
      expect(asked).toEqual([{ url: "/api/v1/runs/second/disclosure", body: { answers: { [FIRMWARE]: "KMK1" } } }]),
    );
  });
});
