// A passkey: created in the settings, then sufficient for signing in; renamed and removed.
import { ClosedApi } from "../../fixtures/closedApi.ts";
import { sharedProduct } from "../../fixtures/shared.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import { mailedLink, PASSWORD, PeoplePages } from "../../pages/PeoplePages.ts";

// Console errors of the browser for requests that this journey expects to be rejected.
test.use({ expectedErrors: /status of 4(01|03)/ });

let closed: ClosedApi;

test.beforeAll(async () => {
  closed = await ClosedApi.start(sharedProduct());
});
test.afterAll(() => closed.stop());

test("a passkey signs in, alone or besides the password", async ({ page, product }) => {
  const devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
  await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const url = closed.url.replace("127.0.0.1", "localhost");
  const people = new PeoplePages(page);
  const email = `ada-${crypto.randomUUID().slice(0, 8)}@people.example`;
  await people.signUp(url, email, "Analytical Engines");
  await people.choosePassword(await mailedLink(product, email, /Finish signing up/), "Ada");
  await people.menu("Settings");
  await page.getByRole("button", { name: /^Passkeys/ }).click();

  await page.getByLabel("Name of the new passkey").fill("laptop");
  await page.getByLabel("Your password, for passkeys").fill(PASSWORD);
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await expect(page.getByRole("button", { name: "Remove laptop" })).toBeVisible();
  await expect(page.locator("code", { hasText: "-" })).toBeVisible();
  await expectAccessible(page);

  await people.menu("Sign out");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("button", { name: /^Account:/ }).waitFor();

  await people.menu("Sign out");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Use a passkey instead of a code" }).click();
  await page.getByRole("button", { name: /^Account:/ }).waitFor();

  await people.menu("Settings");
  await page.getByRole("button", { name: /^Passkeys/ }).click();
  await page.getByRole("button", { name: "Rename laptop" }).click();
  await page.getByLabel("New name").fill("drawer");
  await page.getByRole("button", { name: "Save the name" }).click();
  await page.getByRole("button", { name: "Remove drawer" }).click();
  const removal = page.getByRole("dialog", { name: "Remove drawer?" });
  await removal.getByLabel("Your password").fill(PASSWORD);
  await removal.getByRole("button", { name: "Remove the passkey" }).click();
  await expect(page.getByRole("button", { name: "Remove drawer" })).toBeHidden();
  await people.menu("Sign out");
  await people.signIn(email);
});

test("the owner of the machine reads its mail, and nobody else does", async ({ page, product }) => {
  const people = new PeoplePages(page);
  const email = `grace-${crypto.randomUUID().slice(0, 8)}@people.example`;
  await people.signUp(product.url, email, "Compilers");
  await page.getByRole("link", { name: "/mail" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Mail of this machine" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("tailroom people link");
  await page.goto(product.ownerLink());
  // Navigation would cancel the sign-in; the home page appears after it.
  await expect(page).toHaveURL(`${product.url}/`);
  await page.goto(`${product.url}/mail`);
  await expect(page.getByText(`To ${email}`)).toBeVisible();
  await expectAccessible(page);
});
