// A pasted distribution is judged like a stored run; an invalid distribution is rejected with a reason.
import { ClosedApi } from "../../fixtures/closedApi.ts";
import { sharedProduct } from "../../fixtures/shared.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

// Console errors of the browser for requests that these journeys expect to be rejected.
test.use({ expectedErrors: /status of (401|422)/ });

/** A drive exactly at the limits of the ACT test. */
const ACT_LIMIT = `{"layout":{"t":"explicit","edges_ns":[0,1000000,8000000,64000000,null]},"counts":[9500000,400000,90000,10000]}`;

test("a drive exactly at the ACT limits keeps at least 77.8 % and no more for certain", async ({ page, slaPage }) => {
  await slaPage.open();
  await slaPage.paste(ACT_LIMIT);
  await expect(page).toHaveURL(/from=pasted/);
  await expect(slaPage.answer).toContainText("Undecided: buckets too coarse");
  await expect(slaPage.answer).toContainText(/77\s% or more/);
  await expect(slaPage.answer).toContainText("To decide it:");

  await page.reload();
  await expect(slaPage.answer).toContainText(/77\s% or more/);
});

test("a bad distribution shows what is wrong with it, and can be mended in place", async ({ page, slaPage }) => {
  await slaPage.open();
  await slaPage.paste("{ not JSON");
  await expect(page.getByRole("alert")).toContainText("This is not JSON");

  await slaPage.paste(ACT_LIMIT.replace(",400000,", ",-400000,"));
  await expect(page.getByRole("alert")).toContainText(/negative|below 0|-400,?000/);
  await expect(slaPage.pasted).toHaveValue(/-400000/);
  await expect(slaPage.answer).toHaveCount(0);
  await expectAccessible(page);

  await slaPage.pasted.fill(ACT_LIMIT);
  await page.getByRole("button", { name: "Judge this" }).last().click();
  await expect(slaPage.answer).toContainText("Undecided");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a file that is dropped is judged under its name", async ({ page, slaPage }) => {
  await slaPage.open();
  await slaPage.openPaste();
  await page
    .locator("input[type=file]")
    .last()
    .setInputFiles({ name: "drive.json", mimeType: "application/json", buffer: Buffer.from(ACT_LIMIT) });
  await expect(slaPage.subject).toContainText("drive.json");
  await expect(slaPage.answer).toContainText("Undecided");
});

test("without any run a distribution can still be judged", async ({ page, product, signInPage, slaPage }) => {
  const closed = await ClosedApi.start(sharedProduct());
  try {
    await page.goto(`${closed.url}/sla`);
    await signInPage.signIn(product.token("viewer", `empty-${crypto.randomUUID()}`));
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
  } finally {
    await closed.stop();
  }
});
