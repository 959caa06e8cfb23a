// What stands in a page's place when there is nothing to show: what happened, and what to do next.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test.use({ expectedErrors: /Failed to load resource/ });

const unknownRun = "019b76da-a800-7d41-9c3e-5f0a1b2c3d4e";

test("a run that does not exist says so and leads to the list", async ({ page, runPage, runListPage }) => {
  await runPage.open(unknownRun);
  await expect(page.getByText("There is no such run")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Show runs" }).click();
  await expect(runListPage.heading).toBeVisible();
});

test("a page that does not exist says so", async ({ page, runListPage }) => {
  await page.goto("/no/such/page");
  await expect(page.getByText("There is no such page")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "Runs" }).click();
  await expect(runListPage.heading).toBeVisible();
});

test("an API that cannot answer is named, and asking again works", async ({ page, runListPage, finishedRun }) => {
  const requests = "**/api/v1/runs?*";
  await page.route(requests, (route) => route.abort("connectionrefused"));
  await runListPage.open();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page);
  await page.unroute(requests);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(runListPage.run(finishedRun.title)).toBeVisible();
});
