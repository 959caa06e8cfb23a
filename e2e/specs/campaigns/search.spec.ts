// A search for the highest load, started from the form: a real agent measures probe after probe, and the page shows
// them during the search and the bracket at the end. Only agreement of page and API is asserted, not the load.
import { ServingAgent } from "../../fixtures/servingAgent.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import { Valkey } from "../../fixtures/valkey.ts";

const PATIENCE = { timeout: 90_000 };
const plan = `workload = "keyvalue"
[keyvalue]
ratio = "1:4"
key_maximum = 999
object_bytes = 100
connections = 1
`;

interface SearchState {
  probes: { run_id: string }[];
  passed_per_s: number | null;
  failed_per_s: number | null;
  ended: string | null;
}

test("a search is begun by the form and ends with its bracket", async ({ page, product, api }, information) => {
  test.setTimeout(420_000);
  const name = `seeker ${crypto.randomUUID().slice(0, 6)}`;
  const objective = "p99 get < 300ms";
  const valkey = await Valkey.start(information.outputPath());
  await page.goto("/agents");
  await page.getByRole("button", { name: "Make a code" }).click();
  const command = await page.locator("code", { hasText: "--code" }).innerText();
  const agent = ServingAgent.start(product, name, command.split("--code ")[1] ?? "", [`redis://${valkey.address}`]);
  try {
    const row = page.getByRole("row").filter({ hasText: name });
    await expect(row).toContainText("idle");
    // The agent reports its capabilities and clock with its first request for work.
    await expect(row).toContainText("±", PATIENCE);

    await test.step("the form asks what is sought", async () => {
      await page.goto("/campaigns");
      await page.getByRole("textbox", { name: "Title" }).fill("Sought by the form");
      await page.getByRole("textbox", { name: "Server" }).fill(`redis://${valkey.address}`);
      await page.getByRole("textbox", { name: "Plan" }).fill(plan);
      await page.getByRole("checkbox", { name: "Find the highest load that holds" }).check();
      await page.getByRole("textbox", { name: "Objective", exact: true }).fill(objective);
      await page.getByRole("textbox", { name: "First load, operations a second" }).fill("8000");
      await page.getByRole("textbox", { name: "Seconds of a probe" }).fill("2");
      await page.getByRole("textbox", { name: "Probes after the first bracket" }).fill("2");
      await expect(page.getByRole("combobox", { name: "When an agent is lost" })).toBeDisabled();
      await page.getByRole("checkbox", { name }).check();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Begin" }).click();
    });

    const search = page.getByRole("region", { name: "Highest load that holds" });
    await test.step("the picture is there while probes are measured", async () => {
      await expect(page.getByRole("main")).toContainText(/Probe \d+ at .* on 1 agent\./, PATIENCE);
      await expect(search.getByRole("status")).toContainText("so far", PATIENCE);
      await expect(search.getByRole("img")).toBeVisible(PATIENCE);
    });

    await test.step("at the end it says the bracket that the API has", async () => {
      const ended = page.getByRole("status").filter({ hasText: /Completed: \d+ probes measured\./ });
      await expect(ended).toBeVisible({ timeout: 300_000 });
      await expect(search.getByRole("status")).not.toContainText("so far", PATIENCE);
      const href = await search.getByRole("link", { name: "probe 1", exact: true }).getAttribute("href");
      const state = await api.get<SearchState>(`/sla/load-search/${href?.split("/").pop()}`);
      expect(state.ended).not.toBeNull();
      await expect(search.getByRole("row")).toHaveCount(state.probes.length + 1);
      const says = state.passed_per_s === null ? "no load" : state.failed_per_s === null ? "holds at" : "and fails at";
      await expect(search.getByRole("status")).toContainText(says);
      await expectAccessible(page);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        const picture = await page.screenshot({ animations: "disabled", fullPage: true });
        await information.attach(`search of a campaign ${width}`, { body: picture, contentType: "image/png" });
      }
    });

    await page.goto("/agents");
    await page.getByRole("button", { name: `Remove ${name}` }).click();
    await page.getByRole("button", { name: "Remove the agent" }).click();
    await expect(page.getByRole("row").filter({ hasText: name })).toBeHidden();
  } finally {
    agent.kill();
    valkey.stop();
  }
});
