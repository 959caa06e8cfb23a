// Comparison of runs and published configurations: from a run's page to the answer, the warning for unequal pairs, the
// same figures as the API, and the server generations template.
import { AgentRun, nullPlan } from "../../fixtures/agent.ts";
import { Api, type RunState } from "../../fixtures/api.ts";
import type { Product } from "../../fixtures/product.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const BRIEF = "publication:kioxia-cd8p-ycsb-2025";
const published = (row: string): string[] => [`${BRIEF}#${row}/CD6-R`, `${BRIEF}#${row}/CD8P-R`];

interface Answer {
  pairs: { headline: string; gains: { label: string; ratio_text: string }[] }[];
}

async function measured(product: Product, load_multiple: number): Promise<RunState> {
  const title = `Compared ${crypto.randomUUID().slice(0, 8)}`;
  const agent = new AgentRun(product, nullPlan({ title, duration_s: 4, seed: 9, load_multiple }));
  expect(await agent.ended, agent.complaint).toBe(0);
  return new Api(product.url).judged(await agent.runId);
}

test("a run is put beside another from its own page", async ({ page, product, finishedRun, comparePage }) => {
  const other = await measured(product, 1);
  await page.goto(`/runs/${finishedRun.run_id}`);
  await expect(page.getByRole("heading", { level: 1, name: finishedRun.title })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Compare", exact: true }).click();
  await expect(page.getByText("One is chosen: add another")).toBeVisible();
  await comparePage.picker.fill(other.title);
  await page.getByRole("option", { name: new RegExp(other.title) }).click();
  await expect(comparePage.subjects.getByRole("listitem")).toHaveCount(2);
  await expect(comparePage.subjects.getByRole("listitem").first()).toContainText(`Base: ${finishedRun.title}`);
  await expect(comparePage.gain("p99")).toBeVisible();
  await expect(comparePage.chart(/percentile curves on one axis/)).toBeVisible();
  await expect(comparePage.chart(/Ratio of quantiles/)).toBeVisible();
  await expect(comparePage.verdicts.getByRole("listitem")).toHaveCount(2);
  await expect(comparePage.verdicts.getByText(/PASS|FAIL|Undecided/).first()).toBeVisible();

  await comparePage.subjects.getByRole("button", { name: "Make base" }).click();
  await expect(comparePage.subjects.getByRole("listitem").first()).toContainText(`Base: ${other.title}`);
  await page.goBack();
  await expect(comparePage.subjects.getByRole("listitem").first()).toContainText(`Base: ${finishedRun.title}`);
});

test("the page shows the figures of the API, also on paper", async ({ page, api, comparePage }) => {
  const subjects = published("test1-r1");
  const query = subjects.map((one) => `subject=${encodeURIComponent(one)}`).join("&");
  const answer = await api.get<Answer>(`/comparisons?${query}`);
  await comparePage.open(subjects);
  const [pair] = answer.pairs;
  await expect(comparePage.answer(pair?.headline ?? "none")).toBeVisible();
  for (const gain of pair?.gains ?? []) await expect(comparePage.gain(gain.label)).toContainText(gain.ratio_text);
  await expect(page.getByRole("main")).toContainText("how such runs differ is not known");

  // Paper has everything but controls.
  await page.emulateMedia({ media: "print" });
  await expect(comparePage.picker).toBeHidden();
  await expect(comparePage.gain("p99")).toBeVisible();
  await expect(comparePage.chart(/percentile curves/)).toBeVisible();
});

test("unequal loads are named before any number, with what would make them equal", async ({
  page,
  product,
  finishedRun,
  comparePage,
}) => {
  const faster = await measured(product, 2);
  await comparePage.open([`run:${finishedRun.run_id}`, `run:${faster.run_id}`]);
  await expect(comparePage.answer(/^Not comparable/)).toBeVisible();
  await expect(comparePage.guard).toContainText("load multiple differs: 1 and 2.");
  await expect(comparePage.guard).toContainText("Run new with load multiple 1.");
  await page.getByText("What each measured, not comparable").click();
  await expect(comparePage.gain("p99")).toContainText("not comparable");
});

test("server generations reproduce the brief of a vendor", async ({ page, comparePage }) => {
  await page.goto("/compare?template=server-generations");
  // From 763,714 to 1,122,448 operations a second in workload D (printed as 46 %), from 808,251 to 1,692,491 in B.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "The new server does 47–109 % more operations a second, by workload.",
  );
  const rows = page.getByRole("group", { name: "Gains by workload" }).locator("tbody tr");
  await expect(rows).toHaveCount(5);
  await rows.filter({ hasText: "Half reads, half updates" }).getByRole("link", { name: "Compare workload A" }).click();
  await expect(comparePage.subjects.getByRole("listitem")).toHaveCount(2);
  await expect(comparePage.gain("p99")).toBeVisible();
});

test("two networks: what is not printed is not shown, and what the rates need is", async ({ page }) => {
  await page.goto("/compare?template=networks");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Whether 40 GbE is faster is not shown: no figure of either is printed, and reads fill 54 % of 10 GbE at least.",
  );
  const rows = page.getByRole("group", { name: "Load of the network by phase" }).locator("tbody tr");
  await expect(rows).toHaveCount(5);
  // Three million reads of 900 bytes from four servers.
  await expect(rows.last()).toContainText("5.4 Gbit/s");
  await expectAccessible(page);
});

test("a document leads to its configurations beside each other", async ({ page, comparePage, publicationPage }) => {
  await publicationPage.open("kioxia-cd8p-ycsb-2025");
  await page.getByText(/^Compare its \d+ configurations$/).click();
  await page.getByRole("link", { name: /^Compare KIOXIA CD6-R · YCSB A/ }).click();
  await comparePage.picker.fill("CD8P-R · YCSB A");
  await page.getByRole("option", { name: /CD8P-R · YCSB A/ }).click();
  await expect(comparePage.answer(/^p99 is .* faster in these two runs; repeat each 5 times/)).toBeVisible();
});

test.describe("what is not there", () => {
  test.use({ expectedErrors: /404|422/ });

  test("is said, and one can begin again", async ({ page, comparePage }) => {
    await comparePage.open([`${BRIEF}#none`, ...published("test1-r1")]);
    await expect(page.getByRole("alert")).toContainText("no row");
    await page.getByRole("button", { name: "Begin again" }).click();
    await expect(page.getByText(/Choose what to compare/)).toBeVisible();
  });

  test("operations that only one has are named", async ({ page, comparePage, finishedRun }) => {
    await comparePage.open([`run:${finishedRun.run_id}`, ...published("test1-r1")], "&operation=update");
    await expect(page.getByRole("alert")).toContainText("has no “update”");
  });
});
