// Without local access, nothing is shown without a token; with a token, only its organisation's runs.
import { ClosedApi } from "../../fixtures/closedApi.ts";
import { sharedProduct } from "../../fixtures/shared.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

// Console errors of the browser for requests that these journeys expect to be rejected.
test.use({ expectedErrors: /status of 40[14]/ });

let closed: ClosedApi;

test.beforeAll(async () => {
  closed = await ClosedApi.start(sharedProduct());
});
test.afterAll(() => closed.stop());

test("a link leads over sign-in to where it pointed", async ({ page, product, signInPage, runPage, finishedRun }) => {
  await page.goto(`${closed.url}/runs/${finishedRun.run_id}`);
  await expect(signInPage.heading).toBeVisible();

  await signInPage.signIn("tlr_viewer_mistyped");
  await expect(page.getByText("This token is not known here")).toBeVisible();

  await signInPage.signIn(product.token("viewer"));
  await expect(runPage.title).toHaveText(finishedRun.title);

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(signInPage.heading).toBeVisible();
  await page.goto(`${closed.url}/runs`);
  await expect(signInPage.heading).toBeVisible();
});

test("another organisation sees none of it, and what to do next", async ({
  page,
  product,
  signInPage,
  finishedRun,
}) => {
  await page.goto(`${closed.url}/runs`);
  await signInPage.signIn(product.token("viewer", `other-${crypto.randomUUID()}`));
  await expect(page.getByText("No runs yet")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${closed.url}/`);
  await expect(page.getByRole("heading", { name: "Nothing has been measured yet" })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${closed.url}/runs/${finishedRun.run_id}`);
  await expect(page.getByText("There is no such run")).toBeVisible();
});
