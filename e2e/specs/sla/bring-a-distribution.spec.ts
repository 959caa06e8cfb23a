// A pasted distribution is judged like a stored run; an invalid distribution is rejected with a reason.
import { ACT_LIMIT } from "../../fixtures/samples.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

// Console errors of the browser for requests that these journeys expect to be rejected.
test.use({ expectedErrors: /status of 422/ });

test("a bad distribution shows what is wrong with it, is mended in place and judged, as is a file", async ({
  page,
  slaPage,
}) => {
  await slaPage.open();
  await slaPage.paste("{ not JSON");
  await expect(page.getByRole("alert")).toContainText("This is not JSON");

  await slaPage.paste(ACT_LIMIT.replace(",400000,", ",-400000,"));
  await expect(page.getByRole("alert")).toContainText(/negative|below 0|-400,?000/);
  await expect(slaPage.pasted).toHaveValue(/-400000/);
  await expect(slaPage.answer).toHaveCount(0);
  await expectAccessible(page);

  // A drive exactly at the limits keeps at least 77.8 %, and no more for certain.
  await slaPage.pasted.fill(ACT_LIMIT);
  await page.getByRole("button", { name: "Judge this" }).last().click();
  await expect(page).toHaveURL(/from=pasted/);
  await expect(slaPage.answer).toContainText("Undecided: buckets too coarse");
  await expect(slaPage.answer).toContainText(/77\s% or more/);
  await expect(slaPage.answer).toContainText("To decide it:");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.reload();
  await expect(slaPage.answer).toContainText(/77\s% or more/);

  // A file that is dropped is judged under its name.
  await slaPage.openPaste();
  await page
    .locator("input[type=file]")
    .last()
    .setInputFiles({ name: "drive.json", mimeType: "application/json", buffer: Buffer.from(ACT_LIMIT) });
  await expect(slaPage.subject).toContainText("drive.json");
  await expect(slaPage.answer).toContainText("Undecided");
});
