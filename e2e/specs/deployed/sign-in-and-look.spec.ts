// A person opens a deployment, signs in with a token, and finds a run of an agent with its verdict.
import { expect, type Page, test } from "@playwright/test";
import { RunListPage } from "../../pages/RunListPage.ts";
import { RunPage } from "../../pages/RunPage.ts";
import { SignInPage } from "../../pages/SignInPage.ts";

const address = wanted("TAILROOM_E2E_URL");
const token = wanted("TAILROOM_E2E_TOKEN");
const runId = wanted("TAILROOM_E2E_RUN");
const title = "Deployed journey";

test("sign in, find the run, see its final verdicts", async ({ page }) => {
  const complaints = listen(page);
  await page.goto(`${address}/runs`);
  await new SignInPage(page).signIn(token);
  await new RunListPage(page).run(title).first().click();
  const runPage = new RunPage(page);
  await expect(runPage.title).toHaveText(title);
  await expect(page).toHaveURL(`${address}/runs/${runId}`);
  await expect(runPage.cards.first()).toContainText(/PASS|FAIL|Undecided/);
  await expect(runPage.provisional).toHaveCount(0);
  await expect(runPage.chart(/^Read: percentile curve/)).toBeVisible();
  await expect(runPage.facts).toContainText("none missing");
  expect(complaints.filter((text) => !text.includes("status of 401"))).toEqual([]);
});

test("a live stream opens through the proxy", async ({ page }) => {
  await page.goto(`${address}/runs`);
  await new SignInPage(page).signIn(token);
  await new RunListPage(page).run(title).first().waitFor();
  const first = await page.evaluate(
    (path) =>
      new Promise<string>((resolve, reject) => {
        const stream = new EventSource(path);
        stream.onopen = () => resolve("open");
        stream.onerror = () => reject(new Error("the stream broke"));
      }),
    `/api/v1/runs/${runId}/events`,
  );
  expect(first).toBe("open");
});

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

function wanted(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this journey runs from make test-compose`);
  return value;
}
