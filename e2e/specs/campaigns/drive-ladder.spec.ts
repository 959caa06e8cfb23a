// A drive ladder from its template: an agent reads a listed drive (a file here), phase by phase, and writes nothing.
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServingAgent } from "../../fixtures/servingAgent.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const PATIENCE = { timeout: 90_000 };
const MIB = 1 << 20;

test("a drive ladder reads what the machine lists", async ({ page, product }, information) => {
  test.setTimeout(180_000);
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
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("idle");

    await test.step("the template names what the machine lists as its server", async () => {
      await page.goto("/campaigns");
      await page.getByRole("combobox", { name: "Template" }).click();
      await page.getByRole("option", { name: "Drive ladder, reads alone" }).click();
      await expect(page.getByRole("textbox", { name: "Server" })).toHaveValue("drives:");
      const plan = page.getByRole("textbox", { name: "Plan" });
      const text = (await plan.inputValue())
        .replace("loads = [1, 2, 4]", "loads = [0.05, 0.1]")
        .replace("ramp_s = 5", "ramp_s = 0")
        .replace("measure_s = 60", "measure_s = 3");
      await plan.fill(text);
      await page.getByRole("checkbox", { name }).check();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Begin" }).click();
    });

    await test.step("each load is a phase with its reads, and the drive is as it was", async () => {
      await expect(page.getByRole("status").filter({ hasText: "Completed: 2 phases measured." })).toBeVisible(PATIENCE);
      const results = page.getByRole("group", { name: "Results of the phases, as a table" });
      for (const [load, reads] of [
        ["0.05x", "300"],
        ["0.1x", "600"],
      ] as const) {
        const phase = results
          .locator("tbody")
          .filter({ has: page.getByRole("rowheader", { name: load, exact: true }) });
        const row = phase.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Read", exact: true }) });
        await expect(row).toContainText(reads, PATIENCE);
        await expect(phase).not.toContainText(/write/i);
      }
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
