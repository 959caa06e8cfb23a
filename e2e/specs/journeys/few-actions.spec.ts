// The three main journeys, each from the home page in at most five actions.
import { readFileSync } from "node:fs";
import { Actions } from "../../fixtures/actions.ts";
import { Desk } from "../../fixtures/samples.ts";
import { expect, test, uploadedLog } from "../../fixtures/test.ts";

const MOST_ACTIONS = 5;

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

test("procurement: drives ranked by my own limits, two of them side by side with their cost, taken away as a table", async ({
  page,
  product,
  homePage,
  drivesPage,
}) => {
  const prices = `${product.url}/api/v1/price-list`;
  const csv =
    "drive,capacity,price,currency,date,source\nintel-dc-p4800x,750 GB,900,EUR,2026-11-01,offer 1\nsamsung-pm983,1.92 TB,300,EUR,2026-11-01,offer 2\n";
  const stored = await page.request.put(prices, { data: { csv } });
  expect(stored.status()).toBe(200);
  const actions = new Actions();
  await homePage.open();
  await actions.act("rank drives by limits of my own", () =>
    page.getByRole("link", { name: "fewer than 1 % of reads over 1 ms" }).click(),
  );
  const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
  await expect(row("Huawei ES3600P V5 3.2 TB")).toContainText(/—128x/);
  const [first, second] = ["Intel Optane SSD DC P4800X", "Samsung PM983"];
  await actions.act(`put ${first} on the shortlist`, () => drivesPage.pick(first).check());
  await actions.act(`put ${second} on the shortlist`, () => drivesPage.pick(second).check());
  await actions.act("compare the two", () => page.getByRole("button", { name: "Compare 2" }).click());
  // The comparison shows each drive's highest load, rank and cost, and why they cannot be ordered.
  const compared = drivesPage.compare;
  await expect(compared.getByRole("row", { name: /^Rating/ })).toContainText(/Holds 145x.*Holds 36x/s);
  await expect(compared.getByRole("row", { name: /^Rank/ })).toContainText(/1–2 of 16.*1–14 of 16/s);
  await expect(compared.getByRole("row", { name: /^Price\/kTPS/ })).toContainText(/2\.07\sEUR.*2\.78\sEUR/s);
  await expect(compared).toContainText("They cannot be put in one order.");
  await expect(compared).toContainText("Not comparable because the loads differ (145x and 36x).");
  // The URL contains the question and the shortlist, so that a colleague sees the same.
  expect(new URL(page.url()).searchParams.get("limits")).toBe("1ms_1");
  expect(new URL(page.url()).searchParams.get("pick")).toMatch(/intel-dc-p4800x\..*samsung-pm983/);
  const download = page.waitForEvent("download");
  await actions.act("save the shortlist as CSV", () => compared.getByRole("button", { name: "CSV" }).click());
  const lines = readFileSync(await (await download).path(), "utf8").split("\n");
  expect(lines).toHaveLength(4);
  expect(lines.find((line) => line.includes("P4800X") && line.includes("900"))).toContain("145");
  expect(lines[1]).toMatch(/1\s%.*1\sms/);
  actions.expectAtMost(MOST_ACTIONS);
  for (const place of ["intel-dc-p4800x/750000000000", "samsung-pm983/1920000000000"])
    expect((await page.request.delete(`${prices}/${place}`)).ok()).toBe(true);
});

test("engineer: a log becomes verdicts and a link, is published, and withdrawn", async ({
  page,
  homePage,
  uploadPage,
  api,
}) => {
  const actions = new Actions();
  const name = `six-${crypto.randomUUID().slice(0, 8)}.log`;
  await homePage.open();
  await actions.act("choose the log", () => uploadPage.choose(desk.actLog(name)));
  const run = uploadPage.run(`act 6.6: ${name}`);
  await expect(run.getByRole("region", { name: "Answer", exact: true })).toContainText("take 1 ms or longer", {
    timeout: 60_000,
  });
  const link = await run.getByRole("link", { name: "Open the run page" }).getAttribute("href");
  const visibility = async () => (await api.get<{ visibility: string }>(`/runs/${(link ?? "").slice(-36)}`)).visibility;
  expect(await visibility()).toBe("private");
  await actions.act("Publish", () => run.getByRole("button", { name: "Publish" }).click());
  await actions.act("confirm", () => page.getByRole("button", { name: "Publish now" }).click());
  await expect(run).toContainText("Published since");
  expect(await visibility()).toBe("public");
  await actions.act("Withdraw", () => run.getByRole("button", { name: "Withdraw" }).click());
  await actions.act("confirm", () => page.getByRole("button", { name: "Withdraw it" }).click());
  await expect(run.getByRole("button", { name: "Publish again" })).toBeVisible();
  expect(await visibility()).toBe("retracted");
  actions.expectAtMost(MOST_ACTIONS);
});

test("customer: what meets my SLA and why the others do not, the room left, the largest transaction, and how many nodes", async ({
  page,
  homePage,
  shell,
  slaPage,
  product,
}) => {
  const { run } = await uploadedLog(product);
  const actions = new Actions();
  await homePage.open();
  await actions.act("open My SLA", () => shell.link("My SLA").click());
  await expect(slaPage.heading).toBeVisible();
  await actions.act("two reads", () => slaPage.reads.fill("2"));
  await actions.act("half of the transactions", () => slaPage.objective.fill("50"));
  await actions.act("8,000 transactions a second", () => slaPage.rate.fill("8,000"));
  await expect(page).toHaveURL(/reads=2&?.*/);
  // The page judges the newest run.
  await expect(slaPage.subject).toContainText(run.title);
  // The answer: a PASS, with room left, the largest transaction, and the number of nodes.
  await expect(slaPage.answer).toContainText(/PASS/);
  await expect(slaPage.answer).toContainText(/Room left/);
  await expect(slaPage.answer).toContainText(/Largest transaction/);
  await expect(slaPage.sizing.getByRole("status")).toContainText(/\d+ nodes?/);
  // Every configuration has a verdict, and undecided or failed verdicts have a reason.
  await expect(slaPage.configurations.getByText(/prove it|proves it|kept it while tested/).first()).toBeVisible();
  const rows = slaPage.configurationItems.filter({ hasText: /FAIL/ });
  for (const row of await rows.all()) await expect(row).toContainText(/FAIL.*\S+ \S+ \S+/s);
  actions.expectAtMost(MOST_ACTIONS);
});

test("question of 20 reads in 100 ms for 99 %: the answer, and every drive that meets it", async ({
  page,
  homePage,
  slaPage,
  measuredRun,
}) => {
  expect(measuredRun.state).toBe("finished");
  const actions = new Actions();
  await homePage.open();
  await actions.act("check my SLA", () => page.getByRole("link", { name: "Check my SLA" }).click());
  await actions.act("20 reads", () => slaPage.reads.fill("20"));
  await actions.act("within 100 ms", () => slaPage.window.fill("100 ms"));
  await actions.act("in 99 % of cases", () => slaPage.objective.fill("99"));
  await expect(slaPage.answer).toContainText(/PASS|FAIL|Undecided/);
  await expect(slaPage.answerTo(/^Do 99\s% of transactions finish 20 reads .* within 100\sms\?/)).toBeVisible();
  await expect(slaPage.configurationItems.filter({ hasText: "Samsung PM983" }).first()).toBeVisible();
  actions.expectAtMost(4);
});
