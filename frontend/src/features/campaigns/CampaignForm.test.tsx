import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { CampaignForm } from "./CampaignForm";
import { TEMPLATES } from "./templates";

// The tests' document has no fonts, whose arrival an autosizing field listens for.
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
