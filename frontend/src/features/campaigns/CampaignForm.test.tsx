import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { CampaignForm } from "./CampaignForm";
import { TEMPLATES } from "./templates";

// jsdom has no document.fonts, whose loading an autosizing field waits for.
Object.assign(document, { fonts: new EventTarget() });

it("asks for an agent, and sends what was chosen with the template's plan", async () => {
  const sent: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const request = given as Request;
    if (request.method === "POST") {
      sent.push(await request.json());
      return Response.json({ campaign_id: "c" }, { status: 201 });
    }
    return Response.json({ agents: [{ agent_id: "a1", name: "vm", present: true, campaign_id: null }] });
  });
  show(<CampaignForm />);
  const form = await screen.findByRole("form", { name: "Begin a campaign" });
  await userEvent.type(within(form).getByLabelText(/^Server/), "redis://db:6379");
  await userEvent.click(within(form).getByRole("button", { name: "Begin" }));
  expect(form.textContent).toContain("Choose at least one agent.");
  expect(sent).toEqual([]);

  await userEvent.click(await within(form).findByRole("checkbox", { name: "vm" }));
  await userEvent.click(within(form).getByRole("button", { name: "Begin" }));
  await vi.waitFor(() =>
    expect(sent).toEqual([
      {
        title: TEMPLATES.fraud.label,
        plan: TEMPLATES.fraud.plan,
        target: "redis://db:6379",
        agents: ["a1"],
        on_lost: "end",
        objectives: [],
        seed: 1,
        search: null,
      },
    ]),
  );
});

it("searches one drive that the machine lists, and asks for no phase", async () => {
  const sent: { plan: string; target: string; search: Record<string, unknown> | null }[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const request = given as Request;
    if (request.method === "POST") {
      sent.push(await request.json());
      return Response.json({ campaign_id: "c" }, { status: 201 });
    }
    return Response.json({ agents: [{ agent_id: "a1", name: "shelf", present: true, campaign_id: null }] });
  });
  show(<CampaignForm />);
  const form = within(await screen.findByRole("form", { name: "Begin a campaign" }));
  const choose = async (label: string) => {
    await userEvent.click(form.getByRole("combobox", { name: "Template" }));
    await userEvent.click(await screen.findByRole("option", { name: label }));
  };
  await choose(TEMPLATES.syncWrites.label.replaceAll("\u00a0", " "));
  expect(form.queryByRole("checkbox", { name: "Find the highest load that holds" })).toBeNull();
  await choose(TEMPLATES.drives.label);
  await userEvent.click(form.getByRole("checkbox", { name: "Find the highest load that holds" }));
  expect(form.queryByRole("textbox", { name: "Phase" })).toBeNull();
  await userEvent.type(form.getByRole("textbox", { name: /^Objective$/ }), "p99 read < 2ms");
  await userEvent.type(form.getByRole("textbox", { name: "First load, operations a second" }), "4000");
  await userEvent.click(await form.findByRole("checkbox", { name: "shelf" }));
  await userEvent.click(form.getByRole("button", { name: "Begin" }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    plan: TEMPLATES.drives.plan,
    target: "drives:",
    search: { objective: "p99 read < 2ms", phase: null, start_per_s: 4_000, top_per_s: null },
  });
});
