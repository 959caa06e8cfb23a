// A search for the highest load on a real Valkey: every probe's page has the bracket, the load curve and the probe
// table, in both themes and on a phone. Only agreement of page and API is asserted, not the load.
import { AgentRun } from "../../fixtures/agent.ts";
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from "../../fixtures/test.ts";

const plan = `workload = "keyvalue"
title = "Search"
[keyvalue]
ratio = "1:4"
key_maximum = 999
connections = 1
rate_per_s = 2000
`;
const short = ["--precision", "0.5", "--probes", "2", "--probe-s", "2", "--warm-up-s", "0", "--histogram-every-s", "1"];

interface SearchState {
  probes: { run_id: string; step: number; verdict: string | null }[];
  objective: string;
  passed_per_s: number | null;
  failed_per_s: number | null;
}

test("a search is seen on the page of each of its probes", async ({ page, product, api, runPage, valkey }) => {
  test.setTimeout(180_000);
  const objective = "p99 get < 300ms";
  const target = ["--target", valkey.url];
  const agent = new AgentRun(product, { plan, objective }, [...target, ...short]);
  await test.step("while it goes on, the page of a probe has what is known so far", async () => {
    await expect.poll(() => agent.runIds.length, { timeout: 60_000 }).toBeGreaterThan(2);
    await runPage.open(String(agent.runIds[1]));
    await expect(runPage.search.getByRole("status")).toContainText(objective);
    await expect(runPage.search.getByRole("status")).toContainText("so far");
    expect([0, 1], agent.complaint).toContain(await agent.ended);
  });

  const probes = agent.runIds.slice(1);
  const last = String(probes.at(-1));
  const search = await test.step("the page follows to the end, and says what the API has", async () => {
    await expect(runPage.search.getByRole("row")).toHaveCount(probes.length + 1, { timeout: 30_000 });
    const state = await api.get<SearchState>(`/sla/load-search/${last}`);
    expect(state.probes.map((probe) => probe.run_id)).toEqual(probes);
    for (const probe of state.probes) {
      const link = page.getByRole("link", { name: `probe ${probe.step}`, exact: true });
      const row = runPage.search.getByRole("row").filter({ has: link });
      await expect(row).toContainText(probe.verdict === "INDETERMINATE" ? "Undecided" : String(probe.verdict));
    }
    return state;
  });

  await test.step("a click leads to another probe, which has the same search", async () => {
    await runPage.search.getByRole("link", { name: `probe ${search.probes.length}`, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(last));
    await expect(
      runPage.search.getByRole("link", { name: `probe ${search.probes.length}`, exact: true }),
    ).toHaveAttribute("aria-current", "page");
    await expect(runPage.search.getByRole("img", { name: `${search.probes.length} probes` })).toBeVisible();
  });

  await test.step("the list of runs says up to which load it holds, asked once for all probes", async () => {
    await page.goto(`/runs?q=${encodeURIComponent("Search · probe")}`);
    await expect(page.getByRole("columnheader", { name: "Holds up to" })).toBeVisible();
    await expect(page.getByText("search, probe 1", { exact: true }).first()).toBeVisible();
  });

  await test.step("a search beside itself shows no difference", async () => {
    await page.goto(`/compare?of=run:${probes[0]},run:${last}`);
    const region = page.getByRole("region", { name: "Highest load that holds" });
    await expect(region.getByRole("row")).toHaveCount(3);
    await expect(region.getByText(/^No difference is shown/)).toBeVisible();
    await expectAccessible(page);
    await runPage.open(last);
    await expect(runPage.search.getByRole("row")).toHaveCount(probes.length + 1);
  });

  await test.step("the page is accessible in both themes, and no wider than a phone", async () => {
    await expectAccessibleInBothThemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectAccessible(page, "layout");
  });
});
