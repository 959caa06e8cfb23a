// Links carry a question from the SLA page to the leaderboard, to a drive and further, until it is removed.
import type { Route } from "@playwright/test";
import { expect, test } from "../../fixtures/test.ts";

test("the question of the SLA page goes along, and can be taken away", async ({
  page,
  slaPage: _,
  shell,
  drivesPage,
}) => {
  await page.goto("/sla?reads=100&window=500ms&reserve=0");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await shell.link("Drives").click();
  await expect(page).toHaveURL(/\/drives\?.*reads=100/);
  await expect(
    page.getByText(/^100 reads one after another within 500\sms, for 99\.9\s% of transactions/),
  ).toBeVisible();

  await page.getByRole("rowheader").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/drives\/[^?]+\?.*reads=100.*window=500ms/);

  await shell.link("Drives").click();
  await drivesPage.judgeBy("a rule set");
  await expect(page).not.toHaveURL(/reads=/);
  await shell.link("Runs").click();
  await expect(page).toHaveURL(/\/runs$/);
});

test("a reader who leaves before the runs are known is not called back", async ({ page, finishedRun: _, shell }) => {
  const later = (pause_ms: number) => async (route: Route) => {
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
    await route.continue();
  };
  await page.route("**/api/v1/runs?**", later(1_500));
  await page.route("**/api/v1/runs", later(1_500));
  await page.route("**/assets/drives*.js", later(3_000));
  await page.goto("/sla");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await shell.link("Drives").click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("drives kept it");
  await expect(page).toHaveURL(/\/drives/);
});
