// A configuration is watched with its history, alerts a member, shows its trend, and is removed.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test.use({ expectedErrors: /status of 422/ });

test("watch a run by its title, refuse an internal address, try the alert, see the trend, end it", async ({
  page,
  shell,
  runPage,
  finishedRun,
}) => {
  const { title } = finishedRun;
  const name = `watch ${crypto.randomUUID().slice(0, 8)}`;
  await runPage.open(finishedRun.run_id);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("link", { name: "Watch this configuration" }).click();
  const form = page.getByRole("form", { name: "Watch a configuration" });
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Title of the runs").fill(title);
  await form.getByLabel("Budget").selectOption({ label: "ACT limits" });
  await form.getByLabel("Webhook").fill("https://127.0.0.1/hook");
  await form.getByRole("button", { name: "Watch" }).click();
  await expect(form.getByRole("alert")).toContainText("leads to an internal address");
  await form.getByLabel("Webhook").fill("");
  await form.getByLabel("E-mail of a member").fill("ann@example.com");
  await form.getByRole("button", { name: "Watch" }).click();

  const card = page.getByRole("region", { name });
  await expect(card.getByRole("img", { name: /^The latest run: / })).toBeVisible();
  await card.getByRole("button", { name: "Send a trial alert" }).click();
  const alerts = card.getByRole("list", { name: `Alerts of ${name}` });
  await expect(async () => {
    await page.reload();
    await expect(alerts).toContainText("e-mail: delivered");
  }).toPass({ timeout: 60_000 });
  await card.getByRole("button", { name: "Trend" }).click();
  await expect(card.getByRole("row").filter({ hasText: title })).toBeVisible();
  await expect(card).toContainText("No change of level can be shown: 1 run is too few");
  await expectAccessible(page);

  await card.getByRole("button", { name: `End ${name}` }).click();
  await expect(card).toBeHidden();
  await expect(shell.link("Drives")).toBeVisible();
});
