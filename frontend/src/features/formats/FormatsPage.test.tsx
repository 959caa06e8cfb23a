import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { FormatsPage } from "./FormatsPage";

const form = (kind: string, leaves = "") => ({ versions: "3.x", kind, reads: "exact counts", leaves });

describe("the page of formats", () => {
  it("lists every file of every tool, commands as such", async () => {
    const tools = [
      { tool: "fio", title: "fio", forms: [form("`--output-format=json+`"), form("text", "counts in bins")] },
      { tool: "act", title: "ACT", forms: [form("log")] },
    ];
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ tools }));
    show(<FormatsPage />);
    expect((await screen.findByText("--output-format=json+")).tagName).toBe("CODE");
    expect(screen.getAllByRole("row")).toHaveLength(4);
    expect(screen.getByText("counts in bins")).toBeTruthy();
    expect(screen.getByText("fio").getAttribute("rowspan")).toBe("2");
  });

  it("says that the list could not be fetched", async () => {
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}, { status: 403 }));
    show(<FormatsPage />);
    expect(await screen.findByRole("alert")).toBeTruthy();
  });
});
