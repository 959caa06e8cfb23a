// Without local access, nothing is shown without a token; with a token, only its organisation's runs.
import { ClosedApi } from "../../fixtures/closedApi.ts";
import { ACT_LIMIT } from "../../fixtures/samples.ts";
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
  slaPage,
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

  // Without any run a distribution can still be judged.
  await page.goto(`${closed.url}/sla`);
  await expect(page.getByText("No runs yet.")).toBeVisible();
  await slaPage.configurations
    .getByText(/^\d+ records$/)
    .first()
    .click();
  await expect(slaPage.configurations).toContainText("Samsung 830 256 GB · ACT 1x");
  await slaPage.configurations.getByText(/^My runs/).click();
  await expect(slaPage.configurations).toContainText("Nothing has been measured or published yet");
  await expectAccessible(page);
  await slaPage.paste(ACT_LIMIT);
  await expect(slaPage.answer).toContainText("Undecided");
});
