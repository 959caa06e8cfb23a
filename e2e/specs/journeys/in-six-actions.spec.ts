// The three journeys the product is made for, each from the first page in at most six actions.
import { readFileSync } from "node:fs";
import { Actions } from "../../fixtures/actions.ts";
import { Desk } from "../../fixtures/samples.ts";
import { expect, test } from "../../fixtures/test.ts";

const MOST_ACTIONS = 6;

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

test("procurement: which drives hold the load, two side by side, taken away as a table", async ({
  page,
  homePage,
  shell,
  drivesPage,
}) => {
  const actions = new Actions();
  await homePage.open();
  await actions.act("open Drives", () => shell.link("Drives").click());
  await expect(drivesPage.heading).toBeVisible();
  const [first, second] = ["SmartIOPS DataEngine", "Samsung PM983"];
  await actions.act(`put ${first} on the shortlist`, () => drivesPage.pick(first).check());
  await actions.act(`put ${second} on the shortlist`, () => drivesPage.pick(second).check());
  await actions.act("compare the two", () => page.getByRole("button", { name: "Compare 2" }).click());
  await expect(drivesPage.compare.getByRole("table")).toBeVisible();
  await expect(drivesPage.compare).toContainText(/cannot be put in one order|compar/);
  // The choice goes along in the address: a colleague opens the same.
  expect(new URL(page.url()).searchParams.get("pick")).toMatch(/smartiops-dataengine\..*samsung-pm983/);
  const download = page.waitForEvent("download");
  await actions.act("open Export", () => page.getByRole("button", { name: "Export" }).click());
  await actions.act("choose CSV", () => page.getByRole("menuitem", { name: /^CSV/ }).click());
  expect(readFileSync(await (await download).path(), "utf8")).toContain("SmartIOPS");
  actions.expectAtMost(MOST_ACTIONS);
});

test("engineer: a log becomes verdicts and a link, is published, and withdrawn", async ({
  page,
  homePage,
  shell,
  uploadPage,
  api,
}) => {
  const actions = new Actions();
  const name = `six-${crypto.randomUUID().slice(0, 8)}.log`;
  await homePage.open();
  await actions.act("open Upload", () => shell.link("Upload").click());
  await actions.act("choose the log", () => uploadPage.choose(desk.actLog(name)));
  const run = uploadPage.run(`act 6.6: ${name}`);
  await expect(run.getByRole("list", { name: "Verdicts" })).toContainText("ACT limits", { timeout: 60_000 });
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

test("customer: what meets my SLA, why the others do not, and on how many nodes", async ({
  page,
  homePage,
  shell,
  slaPage,
  finishedRun,
}) => {
  const actions = new Actions();
  await homePage.open();
  await actions.act("open My SLA", () => shell.link("My SLA").click());
  await expect(slaPage.heading).toBeVisible();
  await actions.act("two reads", () => slaPage.reads.fill("2"));
  await actions.act("half of the transactions", () => slaPage.objective.fill("50"));
  await actions.act("8,000 transactions a second", () => slaPage.rate.fill("8,000"));
  await expect(page).toHaveURL(/reads=2&?.*/);
  await expect(slaPage.configuration(finishedRun.title).first()).toContainText(/PASS|FAIL|INDETERMINATE/);
  await expect(slaPage.sizing.getByRole("status")).toContainText(/\d+ nodes?|No number can be given/);
  await actions.act("only what cannot be judged", () => slaPage.configurations.getByText(/^cannot be judged/).click());
  await expect(page).toHaveURL(/show=undecided/);
  actions.expectAtMost(MOST_ACTIONS);
});
