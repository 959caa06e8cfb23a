// Each kind of comparison answers its own question in the first sentence, and is readable in both themes.
import { AgentRun, nullPlan } from "../../fixtures/agent.ts";
import { Api } from "../../fixtures/api.ts";
import { expect, expectAccessibleInBothThemes, test } from "../../fixtures/test.ts";

test.use({ reducedMotion: "reduce", colorScheme: "light" });

test("drives: which holds more load", async ({ page }) => {
  await page.goto("/compare?template=drives&of=drive:intel-dc-s3700,drive:samsung-sm1715");
  await expect(page.getByRole("heading", { name: /^Which drive holds more load is not shown/ })).toBeVisible();
  await expect(page.getByRole("note", { name: "Why these cannot be compared" })).toBeVisible();
  // Published tests are judged like all others.
  const verdicts = page.getByRole("region", { name: "Verdicts beside each other" });
  await expect(verdicts.getByText(/PASS|FAIL|Undecided/)).toHaveCount(2);
  await expectAccessibleInBothThemes(page);
});

test("before and after, several drives of a server, and a chain of what ran on one host at one time", async ({
  page,
  product,
  finishedRun,
  valkey,
}) => {
  test.slow(); // measures with two agents at once, then with one, and checks three pages with axe in both themes
  const name = crypto.randomUUID().slice(0, 8);
  const keyValue = `workload = "keyvalue"
title = "Database ${name}"
[keyvalue]
ratio = "1:4"
key_maximum = 1999
object_bytes = 100
connections = 4
measure_s = 4
`;
  const device = (title: string, duration_s: number): string =>
    nullPlan({ title: `${title} ${name}`, duration_s, seed: 9 });
  const database = ["--target", valkey.url, "--histogram-every-s", "1"];
  const api = new Api(product.url);
  const both = [new AgentRun(product, device("Device", 6)), new AgentRun(product, keyValue, database)];
  for (const agent of both) expect(await agent.ended, agent.complaint).toBe(0);
  const run = await api.judged(String(await both[0]?.runId));
  const further = 'further_paths = ["/nonexistent/further.dat"]\nengine =';
  const agent = new AgentRun(product, device("Two devices", 4).replace("engine =", further));
  expect(await agent.ended, agent.complaint).toBe(0);
  const two = await api.judged(await agent.runId);

  await test.step("before and after", async () => {
    await page.goto(`/compare?template=before-after&of=run:${finishedRun.run_id},run:${run.run_id}`);
    await expect(page.getByText("What did the change do?")).toBeVisible();
    await expect(page.getByText(/facts? changed|changed\.$/).first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
  });

  await test.step("several drives of a server", async () => {
    await page.goto(`/compare?template=drives-in-server&of=run:${run.run_id},run:${two.run_id}`);
    await expect(page.getByRole("heading", { name: /^With 2 drives instead of 1 drive: / })).toBeVisible();
    await expectAccessibleInBothThemes(page);
  });

  await test.step("a chain is proposed, confirmed, read and removed", async () => {
    await page.goto(`/compare?of=run:${run.run_id}`);
    await page.getByRole("navigation", { name: "Kinds of comparison" }).getByRole("link", { name: "Chain" }).click();
    const proposal = page.getByRole("region", { name: "Proposed chain" });
    await expect(proposal.getByRole("heading", { name: "Do these belong together?" })).toBeVisible();
    await expect(proposal).toContainText(`Device ${name}`);
    await expect(proposal).toContainText(`Database ${name}`);
    await expect(proposal).toContainText("same host");
    await proposal.getByRole("button", { name: "Link these runs" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /^At p99 the whole takes/ })).toBeVisible();
    await expect(page.getByText("Linked by a person")).toBeVisible();
    await expect(page.getByRole("main")).toContainText("Percentiles do not add");
    await expect(page.getByRole("figure", { name: /Each hop on one axis/ })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.getByRole("button", { name: "Unlink" }).click();
    await page.getByRole("button", { name: "Remove the links" }).click();
    await expect(proposal).toBeVisible();
    await expect(page).not.toHaveURL(/chain=/);
  });
});

test("production: which drives would have carried what a Prometheus counted", async ({ page, product }) => {
  const metric = `latency_${crypto.randomUUID().slice(0, 8)}_seconds`;
  const lines = [`# TYPE ${metric} histogram`];
  for (const [at, count] of [0, 1_500, 31_500].entries()) {
    for (const edge of ["0.1", "+Inf"])
      lines.push(`${metric}_bucket{le="${edge}"} ${count} ${1_795_871e6 + at * 15_000}`);
  }
  const sent = await page.request.post("/api/v1/uploads", {
    multipart: { files: { name: "page.txt", mimeType: "text/plain", buffer: Buffer.from(`${lines.join("\n")}\n`) } },
    headers: { origin: product.url },
  });
  expect(sent.status(), await sent.text()).toBe(201);
  const { runs } = (await sent.json()) as { runs: { run_id: string }[] };
  const drives = "drive:intel-dc-s3700,drive:samsung-sm1715";
  await page.goto(`/compare?template=production&limits=1ms_5*8ms_1&of=run:${runs[0]?.run_id},${drives}`);
  await expect(page.getByRole("region", { name: "The load of production" })).toContainText(
    "2 thousand/s in the busiest 15 s",
  );
  const tests = page.getByRole("group", { name: "Tests beside the load of production" }).locator("tbody > tr");
  await expect(tests).toHaveCount(2);
  await expect(tests.filter({ hasText: "Samsung SM1715" })).toContainText("carries it");
  const report = await page.getByRole("link", { name: "Report", exact: true }).getAttribute("href");
  const printed = await page.request.get(report ?? "");
  expect(printed.status(), await printed.text()).toBe(200);
  expect(await printed.text()).toContain("carries it");
  await page.getByLabel("Operations of a request").fill("1000");
  await expect(tests.filter({ hasText: "Samsung SM1715" })).toContainText("not shown");
  await expectAccessibleInBothThemes(page);
});

test("cost and watts: who is beaten in both by none", async ({ page, product }) => {
  const drives = ["Huawei ES3600P V5,3.2 TB,640,EUR,25", "Micron 9200 MAX,1.6 TB,410,EUR,14"];
  const list = ["drive,capacity,price,currency,power_w,date,source", ...drives.map((one) => `${one},2026-11-01,offer`)];
  const headers = { origin: product.url };
  const stored = await page.request.put("/api/v1/price-list", { data: { csv: `${list.join("\n")}\n` }, headers });
  expect(stored.status(), await stored.text()).toBe(200);
  await page.goto("/compare?template=cost");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("is not shown");
  await page.getByRole("link", { name: "Show the cost by the limits of ACT" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("the least power for 1,000 operations/s");
  await expect(page.getByRole("figure", { name: /Money and power/ })).toBeVisible();
  await expect(page.getByRole("group", { name: "Cost and power by drive" }).locator("tbody tr")).toHaveCount(2);
  await expectAccessibleInBothThemes(page);
  for (const one of drives) {
    const [slug, capacity] = one.startsWith("Huawei") ? ["huawei-es3600p-v5", 3.2e12] : ["micron-9200-max", 1.6e12];
    await page.request.delete(`/api/v1/price-list/${slug}/${capacity}`, { headers });
  }
});
