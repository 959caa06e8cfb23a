// Whether a drive is fast enough for a database log, from its template: an agent writes in a listed folder.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ServingAgent } from "../../fixtures/servingAgent.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const PATIENCE = { timeout: 90_000 };

test("synchronous writes are judged for each size", async ({ page, product }) => {
  test.setTimeout(180_000);
  const name = `log ${crypto.randomUUID().slice(0, 6)}`;
  // A folder beside the agent: the temporary folder may be in memory, where no write is durable.
  const folder = mkdtempSync(join(dirname(product.agent), "sync-writes-"));
  await page.goto("/agents");
  await page.getByRole("button", { name: "Make a code" }).click();
  const command = await page.locator("code", { hasText: "--code" }).innerText();
  const agent = ServingAgent.start(product, name, command.split("--code ")[1] ?? "", [], [], [folder]);
  try {
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("idle");

    await test.step("the template names what the machine lists as its server", async () => {
      await page.goto("/campaigns");
      await page.getByRole("combobox", { name: "Template" }).click();
      await page.getByRole("option", { name: /^Synchronous writes/ }).click();
      await expect(page.getByRole("textbox", { name: "Server" })).toHaveValue("folders:");
      const plan = page.getByRole("textbox", { name: "Plan" });
      await plan.fill((await plan.inputValue()).replace("measure_s = 60", "measure_s = 2"));
      await page.getByRole("checkbox", { name }).check();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Begin" }).click();
    });

    await test.step("each size has a verdict by the budget, which leads to its run", async () => {
      await expect(page.getByRole("status").filter({ hasText: "Completed: 2 phases measured." })).toBeVisible(PATIENCE);
      const results = page.getByRole("group", { name: "Results of the phases, as a table" });
      for (const size of ["4 KiB", "8 KiB"]) {
        const phase = results
          .locator("tbody")
          .filter({ has: page.getByRole("rowheader", { name: size, exact: true }) });
        await expect(phase).toContainText("as fast as possible");
        // The verdict depends on this machine's drive.
        await expect(phase.getByRole("link", { name: /^(pass|fail|inconclusive)/i })).toBeVisible(PATIENCE);
      }
      await expectAccessible(page);
      expect(readdirSync(folder)).toEqual([]);
    });

    await page.goto("/agents");
    await page.getByRole("button", { name: `Remove ${name}` }).click();
    await page.getByRole("button", { name: "Remove the agent" }).click();
    await expect(page.getByRole("row").filter({ hasText: name })).toBeHidden();
  } finally {
    agent.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
