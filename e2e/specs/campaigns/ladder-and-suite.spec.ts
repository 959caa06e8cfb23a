// A fraud ladder and a YCSB suite as campaigns of two agents on a real Valkey: started from templates with small
// numbers, watched, checked by phase, repeated and compared. Latencies are not asserted.
import type { Locator, Page } from "@playwright/test";
import type { Product } from "../../fixtures/product.ts";
import { ServingAgent } from "../../fixtures/servingAgent.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import { Valkey } from "../../fixtures/valkey.ts";

const PATIENCE = { timeout: 90_000 };

/** Runs `journey` with two agents on their own Valkey, and removes all three afterwards. */
async function withTwoAgents(
  { page, product }: { page: Page; product: Product },
  folder: string,
  journey: (names: readonly string[], target: string) => Promise<void>,
): Promise<void> {
  const names = ["east", "west"].map((name) => `${name} ${crypto.randomUUID().slice(0, 6)}`);
  const valkey = await Valkey.start(folder);
  const target = `redis://${valkey.address}`;
  const agents: ServingAgent[] = [];
  try {
    for (const name of names)
      agents.push(await enrolled(page, name, (code) => ServingAgent.start(product, name, code, [target])));
    await journey(names, target);
    await page.goto("/agents");
    for (const name of names) {
      await page.getByRole("button", { name: `Remove ${name}` }).click();
      await page.getByRole("button", { name: "Remove the agent" }).click();
      await expect(page.getByRole("row").filter({ hasText: name })).toBeHidden();
    }
  } finally {
    for (const agent of agents) agent.kill();
    valkey.stop();
  }
}

async function enrolled(page: Page, name: string, start: (code: string) => ServingAgent): Promise<ServingAgent> {
  await page.goto("/agents");
  await page.getByRole("button", { name: "Make a code" }).click();
  const command = await page.locator("code", { hasText: "--code" }).innerText();
  const agent = start(command.split("--code ")[1] ?? "");
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("idle");
  return agent;
}

/** Chooses a template and reduces its plan to the size of a journey. */
async function begin(
  page: Page,
  template: string,
  small: readonly (readonly [RegExp, string])[],
  names: readonly string[],
  target: string,
  objectives: readonly string[] = [],
) {
  await page.goto("/campaigns");
  await page.getByRole("combobox", { name: "Template" }).click();
  await page.getByRole("option", { name: template, exact: true }).click();
  const plan = page.getByRole("textbox", { name: "Plan" });
  let text = await plan.inputValue();
  for (const [what, by] of small) {
    expect(text).toMatch(what);
    text = text.replace(what, by);
  }
  await plan.fill(text);
  await page.getByRole("textbox", { name: "Server" }).fill(target);
  for (const objective of objectives) {
    await page.getByRole("combobox", { name: "Objectives" }).fill(objective);
    await page.getByRole("combobox", { name: "Objectives" }).press("Enter");
  }
  for (const name of names) await page.getByRole("checkbox", { name }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(template);
}

const results = (page: Page): Locator => page.getByRole("group", { name: "Results of the phases, as a table" });

/** Returns the rows of one phase. */
const phase = (page: Page, name: string): Locator =>
  results(page)
    .locator("tbody")
    .filter({ has: page.getByRole("rowheader", { name, exact: true }).and(page.locator("[rowspan]")) });

test("a fraud ladder: each phase with its own result, repeated and compared with the last time", async ({
  page,
  product,
}, information) => {
  test.setTimeout(300_000);
  await withTwoAgents({ page, product }, information.outputPath(), async (names, target) => {
    await test.step("a fraud ladder shows for each phase what was asked, what was achieved, and its verdict", async () => {
      const small = [
        [/factor = [0-9.]+/, "factor = 0.0004"],
        [/reads_per_transaction = 250/, "reads_per_transaction = 20"],
        [/objects = [0-9_]+/, "objects = 2000"],
        [/connections = 64/, "connections = 8"],
        [/warm_up_s = 60/, "warm_up_s = 1"],
        [/ramp_s = 10/, "ramp_s = 0"],
        [/measure_s = 120/, "measure_s = 3"],
      ] as const;
      await begin(page, "Fraud ladder", small, names, target, ["p99 read < 50ms"]);
      await expect(phase(page, "P3")).toContainText("200\u00a0ops/s", PATIENCE);
      await expect(page.getByRole("status").filter({ hasText: "Completed: 5 phases measured." })).toBeVisible(PATIENCE);
      for (const name of ["P1", "P2", "P3", "P4", "P5"]) {
        const rows = phase(page, name);
        await expect(rows.getByRole("link", { name: /^(PASS|FAIL|Undecided).* of P\d$/ }).first()).toBeVisible(
          PATIENCE,
        );
        await expect(rows).toContainText("2 of 2");
        await expect(rows.getByRole("listitem").filter({ hasText: "p99 of read < 50\u00a0ms" })).toHaveText(
          /^(PASS|FAIL)/,
          PATIENCE,
        );
        await expect(rows).toContainText(/begun within/);
        await expect(rows.getByRole("rowheader", { name: "Transaction" })).toBeVisible();
      }
      // 800 reads a second in transactions of 20, for 3 s, over both agents. The warm-up contains no user requests.
      await expect(phase(page, "P4").locator("tr").first()).toContainText("40\u00a0ops/s");
      await expect(phase(page, "P4").locator("tr").first()).toContainText("100\u00a0% of it");
      await expect(phase(page, "P4").locator("tr").first()).toContainText("120");
      await expect(phase(page, "P4").locator("tr").nth(1)).toContainText("2,400");
      await expect(phase(page, "warm-up")).toContainText("not requests of users");
      await expectAccessible(page);
    });

    await test.step("it is repeated, and each phase is set against the last time", async () => {
      await page.getByRole("button", { name: "Repeat" }).click();
      await expect(page.getByRole("heading", { name: "Compared with the last time" })).toBeVisible(PATIENCE);
      await expect(page.getByRole("status").filter({ hasText: "Completed: 5 phases measured." })).toBeVisible(PATIENCE);
      await expect(phase(page, "P2")).toContainText("p99 of read < 50\u00a0ms", PATIENCE);
      await page.getByRole("link", { name: "Compare P2 with the last time" }).click(PATIENCE);
      await expect(page).toHaveURL(/\/compare/);
    });
  });
});

test("a suite of YCSB: a phase for each of its workloads", async ({ page, product }, information) => {
  test.setTimeout(300_000);
  await withTwoAgents({ page, product }, information.outputPath(), async (names, target) => {
    await test.step("a suite of YCSB has a phase for each of its workloads", async () => {
      const small = [
        [/recordcount=\d+/, "recordcount=1000"],
        [/operationcount=\d+/, "operationcount=1500"],
        [/threadcount=\d+/, "threadcount=8"],
        [/target=\d+/, "target=500"],
      ] as const;
      await begin(page, "YCSB suite: A, B, C, F and D", small, names, target);
      await expect(page.getByRole("status").filter({ hasText: "Completed: 5 phases measured." })).toBeVisible(PATIENCE);
      for (const name of ["A", "B", "C", "F", "D"]) {
        await expect(phase(page, name)).toContainText(/of it/, PATIENCE);
        await expect(phase(page, name).getByRole("link", { name: `set your own for ${name}` })).toBeVisible(PATIENCE);
      }
      await expect(phase(page, "C").locator("tr")).toHaveCount(1);
      await expect(phase(page, "C")).toContainText("100\u00a0% of it");
      await expect(phase(page, "C")).toContainText("1,500");
      await expect(phase(page, "F").getByRole("rowheader", { name: "Read modify write" })).toBeVisible();
      await expect(phase(page, "D").getByRole("rowheader", { name: "Insert" })).toBeVisible();
      await expectAccessible(page);
      await phase(page, "B").getByRole("link").first().click();
      await expect(page.getByRole("heading", { level: 1 })).toContainText("B");
    });
  });
});
