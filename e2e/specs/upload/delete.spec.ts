// Mistaken uploads can be deleted permanently: the page lists what is deleted and what stays, and an old link reports
// the deletion.
import { Desk } from "../../fixtures/samples.ts";
import { expect, test } from "../../fixtures/test.ts";

// Console errors of the browser for deleted objects, and for a file that could not be read.
test.use({ expectedErrors: /status of (404|410|422)/ });

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

test("a run is deleted from its page, and its upload goes with it", async ({ page, uploadPage, runListPage }) => {
  const name = `mistake-${crypto.randomUUID().slice(0, 8)}.log`;
  await uploadPage.open();
  await uploadPage.choose(desk.actLog(name));
  await uploadPage.run(`act 6.6: ${name}`).getByRole("link", { name: "Open the run page" }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
  const address = page.url();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this run?" });
  await expect(dialog).toContainText("go at once and for good");
  await dialog.getByRole("button", { name: "Delete for good" }).click();
  await expect(runListPage.heading).toBeVisible();
  await expect(runListPage.run(`act 6.6: ${name}`)).toHaveCount(0);
  await page.goto(address);
  await expect(page.getByRole("main")).toContainText(/deleted|There is no such run/);
  await uploadPage.open();
  await expect(uploadPage.recent.getByText(name)).toHaveCount(0);
});

test("an upload is deleted from its page", async ({ page, uploadPage }) => {
  const name = `junk-${crypto.randomUUID().slice(0, 8)}.bin`;
  await uploadPage.open();
  await uploadPage.drop(desk.write(name, crypto.getRandomValues(new Uint8Array(3_000))));
  await expect(uploadPage.file(name)).toContainText("Refused");
  await uploadPage.files.getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("dialog", { name: "Delete this upload?" })
    .getByRole("button", { name: "Delete for good" })
    .click();
  await expect(page).toHaveURL(/\/upload$/);
  await expect(uploadPage.recent.getByText(name)).toHaveCount(0);
});
