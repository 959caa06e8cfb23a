// Two agents enrol with codes from the page and run one plan together. One is killed, and the page reports what
// remains.

import { ServingAgent } from "../../fixtures/servingAgent.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const plan = `workload = "keyvalue"
[keyvalue]
ratio = "1:4"
key_maximum = 999
object_bytes = 100
connections = 4
rate_per_s = 1000
ramp_s = 0
measure_s = 20
`;

test("a campaign of two agents, one of which is lost", async ({ page, product, valkey }) => {
  test.setTimeout(120_000);
  const names = ["north", "south"].map((name) => `${name} ${crypto.randomUUID().slice(0, 6)}`);
  const agents: ServingAgent[] = [];
  try {
    await test.step("agents enrol by a code that the page shows", async () => {
      for (const name of names) {
        await page.goto("/agents");
        await page.getByRole("button", { name: "Make a code" }).click();
        const command = await page.locator("code", { hasText: "--code" }).innerText();
        const code = command.split("--code ")[1] ?? "";
        agents.push(ServingAgent.start(product, name, code, { targets: [valkey.url] }));
        await expect(page.getByRole("row").filter({ hasText: name })).toContainText("idle");
      }
      await expectAccessible(page);
    });

    await test.step("a campaign begins from a template, and both agents measure", async () => {
      await page.goto("/campaigns");
      await page.getByRole("textbox", { name: "Server" }).fill(valkey.url);
      await page.getByRole("textbox", { name: "Plan" }).fill(plan);
      await page.getByRole("combobox", { name: "When an agent is lost" }).click();
      await page.getByRole("option", { name: "Continue with the others" }).click();
      for (const name of names) await page.getByRole("checkbox", { name }).check();
      await page.getByRole("button", { name: "Begin" }).click();
      await expect(page.getByRole("status").filter({ hasText: "Phase run on 2 agents." })).toBeVisible({
        timeout: 60_000,
      });
      await expect(page.getByRole("main")).toContainText(/agents at most .* apart/);
      await expect(page.getByRole("heading", { name: /^99 of 100 operations end within .* so far/ })).toBeVisible();
      for (const name of names)
        await expect(page.getByRole("row").filter({ hasText: name })).toContainText(/\d\sops\/s/);
    });

    await test.step("a lost agent is named, and the others go on to the end", async () => {
      const id = new URL(page.url()).pathname.split("/").pop();
      const measured = async (): Promise<number> => {
        const campaign = await (await page.request.get(`/api/v1/campaigns/${id}`)).json();
        const agent = campaign.agents.find((one: { name: string }) => one.name === names[1]);
        const run = await page.request.get(`/api/v1/runs/${agent.runs["1"]}`);
        return run.ok() ? (await run.json()).data_through_ns : 0;
      };
      await expect.poll(measured, { timeout: 60_000 }).toBeGreaterThan(1_000_000_000);
      agents[1]?.kill();
      const row = page.getByRole("row").filter({ hasText: names[1] ?? "" });
      await expect(row).toContainText("not heard from since");
      await expect(page.getByRole("status").filter({ hasText: "Completed: 1 phase measured." })).toContainText(
        `Lost ${names[1]}`,
        { timeout: 60_000 },
      );
      await expect(page.getByRole("main")).toContainText(`Without what ${names[1]} measured.`, { timeout: 60_000 });
      await expect(page.getByRole("group", { name: "Results of the phases, as a table" })).toContainText("1 of 2");
      await expectAccessible(page);
    });

    await test.step("the record has a page like any run", async () => {
      await page
        .getByRole("link", { name: /^Run of/ })
        .last()
        .click();
      await expect(page.getByRole("heading", { level: 1 })).toContainText("run");
    });

    await test.step("agents are removed", async () => {
      await page.goto("/agents");
      for (const name of names) {
        await page.getByRole("button", { name: `Remove ${name}` }).click();
        await page.getByRole("button", { name: "Remove the agent" }).click();
        await expect(page.getByRole("row").filter({ hasText: name })).toBeHidden();
      }
    });
  } finally {
    for (const agent of agents) agent.kill();
  }
});
