// On a run's page, missing facts are added and corrected, and terms show their definitions.
import { Desk } from "../../fixtures/samples.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

test("facts are added on the run's page, a wrong one is named, and the run is then found by them", async ({
  page,
  uploadPage,
  runPage,
  api,
}) => {
  const name = `facts-${crypto.randomUUID().slice(0, 8)}.log`;
  await uploadPage.open();
  await uploadPage.choose(desk.actLog(name));
  await uploadPage.run(`act 6.6: ${name}`).getByRole("link", { name: "Open the run page" }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
  const facts = page.getByRole("region", { name: "Run facts" });
  await facts.locator("summary", { hasText: "Add or change facts" }).click();
  await facts.getByLabel("Kernel", { exact: true }).fill("6.12.9");
  await facts.getByLabel("Over-provisioned share").fill("much");
  await facts.getByRole("button", { name: "Save 1 answer" }).click();
  await expect(facts.getByLabel("Over-provisioned share")).toHaveAttribute("aria-invalid", "true");
  await expect(facts).toContainText("“much” is not a share.");
  await expectAccessible(page);
  await facts.getByLabel("Over-provisioned share").fill("20");
  await facts.getByRole("button", { name: "Save 1 answer" }).click();

  await page.reload();
  await facts.locator("summary", { hasText: "Add or change facts" }).click();
  await expect(facts.getByLabel("Kernel", { exact: true })).toHaveValue("6.12.9");
  const run = new URL(page.url()).pathname.slice(-36);
  const stored = await api.get<{ disclosure: { disclosed: { field: string; value: unknown }[] } }>(`/runs/${run}`);
  expect(Object.fromEntries(stored.disclosure.disclosed.map(({ field, value }) => [field, value]))).toMatchObject({
    "host.os.kernel": "6.12.9",
    "plan.act_storage.over_provisioning": 0.2,
  });
  await expect(runPage.title).toContainText(name);
});

test("a word says what it means by keyboard, gives the place back, and leads to the glossary", async ({
  page,
  finishedRun,
}) => {
  await page.goto(`/runs/${finishedRun.run_id}`);
  const word = page.getByRole("region", { name: "Run facts" }).getByRole("button", { name: "Disclosure" });
  await word.focus();
  await page.keyboard.press("Enter");
  const meaning = page.getByRole("dialog", { name: /^disclosure$/i });
  await expect(meaning).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(meaning).toBeHidden();
  await expect(word).toBeFocused();
  await word.click();
  await meaning.getByRole("link", { name: "All words" }).click();
  await expect(page).toHaveURL(/\/glossary#disclosure$/);
  await expect(page.getByRole("heading", { level: 1, name: "What the words mean" })).toBeVisible();
});
