// From an e-mail address to an organisation, and out of every session again.
import { ClosedApi } from "../../fixtures/closedApi.ts";
import { sharedProduct } from "../../fixtures/shared.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import { mailedLink, PASSWORD, PeoplePages } from "../../pages/PeoplePages.ts";

// What the browser itself writes about the refusals that these journeys cause.
test.use({ expectedErrors: /status of 4(01|22)/ });

let closed: ClosedApi;

test.beforeAll(async () => {
  closed = await ClosedApi.start(sharedProduct());
});
test.afterAll(() => closed.stop());

test("signing up leads over the mail to an organisation, and ended sessions have ended", async ({
  page,
  product,
  browser,
}) => {
  const people = new PeoplePages(page);
  const email = `ada-${crypto.randomUUID().slice(0, 8)}@people.example`;
  await people.signUp(closed.url, email, "Analytical Engines");
  await expectAccessible(page);

  const link = await mailedLink(product.url, email, /Finish signing up/);
  await page.goto("about:blank");
  await page.goto(link);
  await expectAccessible(page);
  await page.getByLabel("Password", { exact: true }).fill("password1234");
  await page.getByRole("button", { name: "Store the password" }).click();
  await expect(page.getByText("This is a very common password")).toBeVisible();
  await people.choosePassword(link, "Ada");

  const cookies = await page.context().cookies();
  const other = await browser.newContext();
  const signedIn = await other.request.post(`${closed.url}/api/v1/session/person`, {
    data: { email, password: PASSWORD },
  });
  expect(signedIn.status()).toBe(200);

  await people.menu("Settings");
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Ada");
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Sessions" }).click();
  await expect(page.getByText("this one")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  expect((await other.request.get(`${closed.url}/api/v1/me`)).status()).toBe(401);
  await other.close();

  await people.menu("Sign out");
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  const copied = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${closed.url}/api/v1/me`, { headers: { cookie: copied } });
  expect(answer.status).toBe(401);
  await people.signIn(email);
});

test("whoever is at the machine reads its mail", async ({ page, product }) => {
  const people = new PeoplePages(page);
  const email = `grace-${crypto.randomUUID().slice(0, 8)}@people.example`;
  await people.signUp(product.url, email, "Compilers");
  await page.getByRole("link", { name: "/mail" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Mail of this machine" })).toBeVisible();
  await expect(page.getByText(`To ${email}`)).toBeVisible();
  await expectAccessible(page);
});
