// A search on a listed drive (a file here), started from the form: the chart of probes grows, a killed agent is
// awaited, and the bracket equals the API's. The objective holds at every tested load.
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServingAgent } from "../../fixtures/servingAgent.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const PATIENCE = { timeout: 90_000 };
const MIB = 1 << 20;

test("a drive is searched for the highest load that holds", async ({ page, product, api }, information) => {
  test.setTimeout(300_000);
  const name = `shelf ${crypto.randomUUID().slice(0, 6)}`;
  mkdirSync(information.outputPath(), { recursive: true });
  const drive = join(information.outputPath(), "drive");
  const content = randomBytes(16 * MIB);
  writeFileSync(drive, content);
  await page.goto("/agents");
  await page.getByRole("button", { name: "Make a code" }).click();
  const command = await page.locator("code", { hasText: "--code" }).innerText();
  const agent = ServingAgent.start(product, name, command.split("--code ")[1] ?? "", [], [drive]);
  try {
    const row = page.getByRole("row").filter({ hasText: name });
    // The agent reports its capabilities and clock with its first request for work.
    await expect(row).toContainText("±", PATIENCE);

    await test.step("the form asks what is sought of the drive", async () => {
      await page.goto("/campaigns");
      await page.getByRole("combobox", { name: "Template" }).click();
      await page.getByRole("option", { name: "Drive ladder, reads alone" }).click();
      await page.getByRole("checkbox", { name: "Find the highest load that holds" }).check();
      await page.getByRole("textbox", { name: "Objective", exact: true }).fill("p99 read < 20s");
      await page.getByRole("textbox", { name: "First load, operations a second" }).fill("100");
      await page.getByRole("textbox", { name: "Highest load, operations a second" }).fill("800");
      await page.getByRole("textbox", { name: "Seconds of a probe" }).fill("5");
      await page.getByRole("checkbox", { name }).check();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Begin" }).click();
    });

    const search = page.getByRole("region", { name: "Highest load that holds" });
    await test.step("the picture is there while probes are measured", async () => {
      await expect(search.getByRole("status")).toContainText("so far", PATIENCE);
      await expect(search.getByRole("img")).toBeVisible(PATIENCE);
    });

    await test.step("a killed agent is waited for, until a stated time", async () => {
      agent.kill();
      await expect(page.getByRole("main")).toContainText(new RegExp(`Waiting for ${name} until .*, else`), PATIENCE);
      await expectAccessible(page);
      agent.serve();
    });

    await test.step("at the end it says what the API has, and the drive is as it was", async () => {
      const ended = page.getByRole("status").filter({ hasText: "Completed: 4 probes measured." });
      await expect(ended).toBeVisible({ timeout: 150_000 });
      await expect(search.getByRole("status")).not.toContainText("so far", PATIENCE);
      const href = await search.getByRole("link", { name: "probe 1", exact: true }).getAttribute("href");
      // Data that the killed agent had not sent can arrive after the end, and the page of an ended search is not
      // polled.
      await expect(async () => {
        await page.reload();
        await expect(search.getByRole("row").first()).toBeVisible();
        const state = await api.get<{ probes: { late_share: number | null }[]; ended: string }>(
          `/sla/load-search/${href?.split("/").pop()}`,
        );
        const counted = state.probes.filter(({ late_share }) => late_share !== null);
        expect([counted.length, state.ended]).toEqual([4, "top"]);
        await expect(search.getByRole("row")).toHaveCount(state.probes.length + 1, { timeout: 5_000 });
      }).toPass(PATIENCE);
      await expectAccessible(page);
      expect(readFileSync(drive).equals(content)).toBe(true);
    });

    await page.goto("/agents");
    await page.getByRole("button", { name: `Remove ${name}` }).click();
    await page.getByRole("button", { name: "Remove the agent" }).click();
    await expect(page.getByRole("row").filter({ hasText: name })).toBeHidden();
  } finally {
    agent.kill();
  }
});
