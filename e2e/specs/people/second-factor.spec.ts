// A second factor: set with an app's code, asked for at the next sign-in, replaced by a recovery code.
import { createHmac } from "node:crypto";
import { ClosedApi } from "../../fixtures/closedApi.ts";
import { sharedProduct } from "../../fixtures/shared.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import { mailedLink, PASSWORD, PeoplePages } from "../../pages/PeoplePages.ts";

// What the browser itself writes about the refusals that this journey causes.
test.use({ expectedErrors: /status of 4(01|03|09)/ });

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What an app shows for a secret in Base32 (RFC 6238), `step` codes from now. */
function appCode(secret: string, step: number): string {
  const bits = [...secret].map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step));
  const hash = createHmac("sha1", key).update(counter).digest();
  const start = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

let closed: ClosedApi;

test.beforeAll(async () => {
  closed = await ClosedApi.start(sharedProduct());
});
test.afterAll(() => closed.stop());

test("a code of the app, or a recovery code, is asked for besides the password", async ({ page, product }) => {
  const people = new PeoplePages(page);
  const email = `ada-${crypto.randomUUID().slice(0, 8)}@people.example`;
  await people.signUp(closed.url, email, "Analytical Engines");
  await people.choosePassword(await mailedLink(product.url, email, /Finish signing up/), "Ada");
  await people.menu("Settings");

  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Set a second factor" }).click();
  await expect(page.getByRole("img", { name: "The secret as a QR code" })).toBeVisible();
  await expectAccessible(page);
  const secret = (await page.locator("code", { hasText: /^[A-Z2-7]{32}$/ }).textContent()) ?? "";
  await page.getByLabel("First code of the app").fill(appCode(secret, -1));
  await page.getByRole("button", { name: "Turn it on" }).click();
  await expect(page.getByText("10 recovery codes are left")).toBeVisible();
  const recovery = ((await page.locator("code", { hasText: "-" }).textContent()) ?? "").split("\n");
  expect(recovery).toHaveLength(10);
  await expectAccessible(page);

  await people.menu("Sign out");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const code = page.getByLabel("Code");
  await code.fill("000000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("The code is wrong")).toBeVisible();
  await expectAccessible(page);
  await code.fill(recovery[0] ?? "");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: /^Account:/ }).waitFor();

  await people.menu("Settings");
  await expect(page.getByText("9 recovery codes are left")).toBeVisible();
  await page.getByLabel("Code").fill(appCode(secret, 0));
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Turn it off" }).click();
  await expect(page.getByRole("button", { name: "Set a second factor" })).toBeVisible();
  await page.getByRole("tab", { name: "Organisation" }).click();
  await page.getByRole("button", { name: "Ask members for one" }).click();
  await expect(page.getByText("Set a second factor of your own first")).toBeVisible();
  await page.getByRole("tab", { name: "Audit trail" }).click();
  await expect(page.getByRole("cell", { name: "turn off second factor" })).toBeVisible();
});
