// Two people and two organisations: sign up, invite, accept, switch, make a token, sign out.
import { ClosedApi } from "../../fixtures/closedApi.ts";
import { sharedProduct } from "../../fixtures/shared.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import { mailedLink, PeoplePages } from "../../pages/PeoplePages.ts";

// What the browser itself writes about the refusals that these journeys cause.
test.use({ expectedErrors: /status of 4(01|03|04|09)/ });

let closed: ClosedApi;

test.beforeAll(async () => {
  closed = await ClosedApi.start(sharedProduct());
});
test.afterAll(() => closed.stop());

test("people share an organisation as far as their roles allow", async ({ page, product, browser }) => {
  test.slow();
  const mark = crypto.randomUUID().slice(0, 8);
  const [ada, grace] = [`ada-${mark}@people.example`, `grace-${mark}@people.example`];
  const owner = new PeoplePages(page);
  await owner.signUp(closed.url, ada, `Engines ${mark}`);
  await owner.choosePassword(await mailedLink(product.url, ada, /Finish signing up/), "Ada");

  await page.goto(`${closed.url}/settings?tab=members`);
  await page.getByLabel("E-mail address").fill(grace);
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await expect(page.getByText("it is not shown again")).toBeVisible();
  await expect(page.getByText(`${grace} as engineer`)).toBeVisible();
  await expectAccessible(page);

  const context = await browser.newContext();
  const hers = await context.newPage();
  const member = new PeoplePages(hers);
  await member.signUp(closed.url, grace, `Compilers ${mark}`);
  await member.choosePassword(await mailedLink(product.url, grace, /Finish signing up/), "Grace");
  await hers.goto("about:blank");
  await hers.goto(await mailedLink(product.url, grace, /An invitation/));
  await expect(hers.getByText(`${ada} invites ${grace}`)).toBeVisible();
  await expectAccessible(hers);
  await hers.getByRole("button", { name: "Accept" }).click();
  await hers.goto(`${closed.url}/settings?tab=members`);
  await expect(hers.getByRole("cell", { name: ada })).toBeVisible();
  await expect(hers.getByRole("tab", { name: "Tokens" })).toHaveCount(0);

  await member.menu(`Compilers ${mark}`);
  await hers.goto(`${closed.url}/settings?tab=tokens`);
  await hers.getByLabel("Name", { exact: true }).fill("pipeline");
  await hers.getByLabel("Scope").selectOption("viewer");
  await hers.getByRole("button", { name: "Make the token" }).click();
  const token = await hers.locator("code", { hasText: "tlr_viewer_" }).textContent();
  const headers = { authorization: `Bearer ${token}` };
  const session = await fetch(`${closed.url}/api/v1/session`, { headers });
  expect(((await session.json()) as { organisation: { name: string } }).organisation.name).toBe(`Compilers ${mark}`);
  await expectAccessible(hers);
  await hers.getByRole("button", { name: "Revoke pipeline" }).click();
  await expect(hers.getByText(/^revoked/)).toBeVisible();
  expect((await fetch(`${closed.url}/api/v1/session`, { headers })).status).toBe(401);
  await hers.getByRole("tab", { name: "Audit trail" }).click();
  await expect(hers.getByRole("cell", { name: "revoke token" })).toBeVisible();
  await expectAccessible(hers);

  const copied = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  expect((await fetch(`${closed.url}/api/v1/me`, { headers: { cookie: copied } })).status).toBe(200);
  await member.menu("Sign out");
  await expect(hers.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  expect((await fetch(`${closed.url}/api/v1/me`, { headers: { cookie: copied } })).status).toBe(401);
  await context.close();

  await page.reload();
  await page.getByRole("button", { name: `Remove ${grace}` }).click();
  await expect(page.getByRole("cell", { name: grace })).toHaveCount(0);
  expect(product.command("audit", "verify")).toContain("whole, newest");
});
