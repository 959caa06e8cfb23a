// The full course of an organisation: sign up, verify, second factor, invite, enrol an agent, run, publish, share,
// revoke, withdraw, delete, and the resulting audit trail.
import { createHmac } from "node:crypto";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { ClosedApi } from "../../fixtures/closedApi.ts";
import { ServingAgent } from "../../fixtures/servingAgent.ts";
import { sharedProduct } from "../../fixtures/shared.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import { mailedLink, PASSWORD, PeoplePages } from "../../pages/PeoplePages.ts";

// Console errors of the browser for requests that this journey expects to be rejected.
test.use({ expectedErrors: /status of 4(01|03|04|09|10|22)/ });

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PLAN = `workload = "keyvalue"
[keyvalue]
ratio = "1:4"
key_maximum = 999
object_bytes = 100
connections = 2
rate_per_s = 500
ramp_s = 0
measure_s = 2
`;

/** Returns an authenticator app's code for a Base32 secret (RFC 6238), `step` codes from now. */
function appCode(secret: string, step: number): string {
  const bits = [...secret].map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step));
  const hash = createHmac("sha1", key).update(counter).digest();
  const start = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

const cookieOf = async (context: BrowserContext): Promise<string> =>
  (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");

let closed: ClosedApi;

test.beforeAll(async () => {
  closed = await ClosedApi.start(sharedProduct());
});
test.afterAll(() => closed.stop());

test("an organisation signs up, invites, measures, publishes, shares, takes it back, and can show who did what", async ({
  page,
  product,
  browser,
  valkey,
}) => {
  test.setTimeout(240_000);
  const mark = crypto.randomUUID().slice(0, 8);
  const [ada, grace] = [`ada-${mark}@people.example`, `grace-${mark}@people.example`];
  const owner = new PeoplePages(page);

  await test.step("signing up leads over the mail to an organisation", async () => {
    await owner.signUp(closed.url, ada, `Engines ${mark}`);
    const link = await mailedLink(product, ada, /Finish signing up/);
    await page.goto("about:blank");
    await page.goto(link);
    await expectAccessible(page);
    await page.getByLabel("Password", { exact: true }).fill("password1234");
    await page.getByRole("button", { name: "Store the password" }).click();
    await expect(page.getByText("This is a very common password")).toBeVisible();
    await owner.choosePassword(link, "Ada");
  });

  await test.step("sessions elsewhere end at once", async () => {
    const other = await browser.newContext();
    const signedIn = await other.request.post(`${closed.url}/api/v1/session/person`, {
      data: { email: ada, password: PASSWORD },
    });
    expect(signedIn.status()).toBe(200);
    await owner.menu("Settings");
    await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Ada");
    await page.getByRole("tab", { name: "Sessions" }).click();
    await expect(page.getByText("this one")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect(page.getByRole("row")).toHaveCount(2);
    expect((await other.request.get(`${closed.url}/api/v1/me`)).status()).toBe(401);
    await other.close();
  });

  await test.step("a code of the app, or a recovery code, is asked for besides the password", () =>
    secondFactor(page, owner, ada));

  const hers = await invited(page, browser, product, { owner: ada, member: grace, mark });

  let agent: ServingAgent | null = null;
  try {
    await test.step("an agent enrols by a code, and measures", async () => {
      await page.goto(`${closed.url}/agents`);
      await page.getByRole("button", { name: "Make a code" }).click();
      const command = await page.locator("code", { hasText: "--code" }).innerText();
      const name = `north ${mark}`;
      agent = ServingAgent.start(product, name, command.split("--code ")[1] ?? "", { targets: [valkey.url] });
      await expect(page.getByRole("row").filter({ hasText: name })).toContainText("idle");
      await page.goto(`${closed.url}/campaigns`);
      await page.getByRole("textbox", { name: "Server" }).fill(valkey.url);
      await page.getByRole("textbox", { name: "Plan" }).fill(PLAN);
      await page.getByRole("checkbox", { name }).check();
      await page.getByRole("button", { name: "Begin" }).click();
      await expect(page.getByRole("status").filter({ hasText: "Completed: 1 phase measured." })).toBeVisible({
        timeout: 90_000,
      });
    });
  } finally {
    (agent as ServingAgent | null)?.kill();
  }

  const campaign = await page.request.get(`/api/v1/campaigns/${new URL(page.url()).pathname.split("/").pop()}`);
  const runId = ((await campaign.json()) as { agents: { runs: Record<string, string> }[] }).agents[0]?.runs["1"];
  const host = ((await (await page.request.get(`/api/v1/runs/${runId}`)).json()) as { host_name: string }).host_name;
  const foreign = async (): Promise<{ status: number; text: string }> => {
    const answer = await hers.request.get(`${closed.url}/api/v1/runs/${runId}`);
    return { status: answer.status(), text: await answer.text() };
  };
  let shared = "";

  await test.step("nobody else sees the run until it is published, and no name that is not ticked", async () => {
    expect((await foreign()).status).toBe(404);
    await page.goto(`${closed.url}/runs/${runId}`);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Publish this run" });
    await expect(dialog.getByRole("checkbox", { name: new RegExp(`^Hosts and servers: .*${host}`) })).not.toBeChecked();
    await dialog.getByRole("button", { name: "Publish now" }).click();
    await expect(page.getByRole("region", { name: /^Who may see/ })).toContainText("Published since");
    const { status, text } = await foreign();
    expect(status).toBe(200);
    expect(text).toContain('"host_name":"host 1"');
    expect(text).not.toContain(`"${host}"`);
  });

  await test.step("a link opens its report until it is revoked, and nobody reads the run once it is withdrawn", async () => {
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share this run" });
    await dialog.getByLabel("For whom").fill("the auditor");
    await dialog.getByRole("button", { name: "Make a link" }).click();
    shared = await dialog.getByRole("status").filter({ hasText: "Copy it now." }).locator("code").innerText();
    const report = await fetch(shared);
    expect(report.status).toBe(200);
    expect(await report.text()).not.toContain(`>${host}<`);
    await dialog.getByRole("button", { name: "Revoke the link for the auditor" }).click();
    await page.getByRole("button", { name: "Revoke it" }).click();
    await expect(dialog.getByRole("listitem").filter({ hasText: "the auditor" })).toContainText("revoked");
    expect((await fetch(shared)).status).toBe(410);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("button", { name: "Withdraw it" }).click();
    await expect(page.getByRole("region", { name: /^Who may see/ })).toContainText("Withdrawn");
    expect((await foreign()).status).toBe(410);
  });

  await test.step("the run is deleted, a member removed, data go sooner, and deletion has days of grace", async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: false }).first().click();
    await expect.poll(async () => (await page.request.get(`/api/v1/runs/${runId}`)).status()).toBe(410);
    await page.goto(`${closed.url}/settings?tab=members`);
    // A long name leaves the buttons of its row where they are seen.
    await expect(page.getByRole("button", { name: `Remove ${grace}` })).toBeInViewport();
    await page.getByRole("button", { name: `Remove ${grace}` }).click();
    await page
      .getByRole("dialog", { name: `Remove ${grace}?` })
      .getByRole("button", { name: "Keep the member" })
      .click();
    await page.getByRole("button", { name: `Remove ${grace}` }).click();
    await page.getByRole("button", { name: "Remove the member" }).click();
    await expect(page.getByRole("cell", { name: grace })).toHaveCount(0);
    await page.getByRole("tab", { name: "Retention" }).click();
    await page.getByText("Delete details earlier").click();
    await page.getByLabel("Uploaded files, days").fill("30");
    await page.getByRole("button", { name: "Store the days" }).click();
    await expect(page.getByRole("row", { name: /^Uploaded files 30 days/ })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Organisation" }).click();
    await page.getByRole("button", { name: "Delete the organisation" }).click();
    await page.getByLabel(`Write “Engines ${mark}” to delete it`).fill(`Engines ${mark}`);
    await page.getByRole("button", { name: "Delete it" }).click();
    await expect(page.getByText("It will be deleted on")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Let it stay" }).click();
    await expect(page.getByRole("button", { name: "Delete it" })).toBeVisible();
  });

  await test.step("the audit trail has all of it, in a chain that is whole", async () => {
    await page.getByRole("tab", { name: "Audit trail" }).click();
    for (const action of [
      "take deletion back",
      "ask for deletion",
      "set retention",
      "remove member",
      "delete run",
      "retract run",
      "revoke run link",
      "make run link",
      "publish run",
      "begin campaign",
      "enrol agent",
      "invite",
    ])
      await expect(page.getByRole("cell", { name: action, exact: true }).first()).toBeVisible();
    await expectAccessible(page);
    expect(product.command("audit", "verify")).toContain("whole, newest");
  });

  await test.step("whoever is the last owner of an organisation hears so before the account goes", async () => {
    const leaving = await hers.newPage();
    await leaving.goto(`${closed.url}/settings`);
    await leaving.getByRole("button", { name: "Delete the account" }).click();
    await leaving.getByLabel(`Write “${grace}” to delete it`).fill(grace);
    await leaving.getByLabel("Your password, to delete the account").fill(PASSWORD);
    await expectAccessible(leaving);
    await leaving.getByRole("button", { name: "Delete the account" }).last().click();
    await expect(leaving.getByRole("alert")).toContainText(`the last owner of “Compilers ${mark}”`);
  });
  await hers.close();
});

async function secondFactor(page: Page, people: PeoplePages, email: string): Promise<void> {
  await page.getByRole("tab", { name: "Profile" }).click();
  await page.getByRole("button", { name: /^Second factor/ }).click();
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

  const copied = await cookieOf(page.context());
  await people.menu("Sign out");
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  expect((await fetch(`${closed.url}/api/v1/me`, { headers: { cookie: copied } })).status).toBe(401);
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
  await page.getByRole("button", { name: /^Second factor/ }).click();
  await expect(page.getByText("9 recovery codes are left")).toBeVisible();
  await page.getByLabel("Code").fill(appCode(secret, 0));
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Turn it off" }).click();
  await expect(page.getByRole("button", { name: "Set a second factor" })).toBeVisible();
  await page.getByRole("tab", { name: "Organisation" }).click();
  await page.getByRole("button", { name: /^Second factor/ }).click();
  await page.getByRole("button", { name: "Ask members for one" }).click();
  await expect(page.getByText("Set a second factor of your own first")).toBeVisible();
}

/** Invites a person who signs up with her own organisation. Returns the browser context in which she is signed in. */
async function invited(
  page: Page,
  browser: Browser,
  product: { home: string },
  who: { owner: string; member: string; mark: string },
): Promise<BrowserContext> {
  const context = await browser.newContext();
  await test.step("an invitation makes a member of somebody, as far as her role allows", async () => {
    await page.goto(`${closed.url}/settings?tab=members`);
    await page.getByLabel("E-mail address").fill(who.member);
    await page.getByRole("button", { name: "Send the invitation" }).click();
    await expect(page.getByText("it is not shown again")).toBeVisible();
    await expect(page.getByText(`${who.member} as engineer`)).toBeVisible();
    await expectAccessible(page);

    const hers = await context.newPage();
    const member = new PeoplePages(hers);
    await member.signUp(closed.url, who.member, `Compilers ${who.mark}`);
    await member.choosePassword(await mailedLink(product, who.member, /Finish signing up/), "G".repeat(100));
    await hers.goto("about:blank");
    await hers.goto(await mailedLink(product, who.member, /An invitation/));
    await expect(hers.getByText(`${who.owner} invites ${who.member}`)).toBeVisible();
    await expectAccessible(hers);
    await hers.getByRole("button", { name: "Accept" }).click();
    // Navigation would cancel the acceptance; the home page appears after it.
    await expect(hers).toHaveURL(`${closed.url}/`);
    await hers.goto(`${closed.url}/settings?tab=members`);
    await expect(hers.getByRole("cell", { name: who.owner })).toBeVisible();
    await expect(hers.getByRole("tab", { name: "Tokens" })).toHaveCount(0);

    await member.menu(`Compilers ${who.mark}`);
    // Navigation would cancel the change of organisation; the home page appears after it.
    await expect(hers).toHaveURL(`${closed.url}/`);
    await hers.goto(`${closed.url}/settings?tab=tokens`);
    await hers.getByLabel("Name", { exact: true }).fill("pipeline");
    await hers.getByLabel("Scope").selectOption("viewer");
    await hers.getByRole("button", { name: "Make the token" }).click();
    const token = await hers.locator("code", { hasText: "tlr_viewer_" }).textContent();
    const headers = { authorization: `Bearer ${token}` };
    const session = await fetch(`${closed.url}/api/v1/session`, { headers });
    const { organisation } = (await session.json()) as { organisation: { name: string } };
    expect(organisation.name).toBe(`Compilers ${who.mark}`);
    await expectAccessible(hers);
    await hers.getByRole("button", { name: "Revoke pipeline" }).click();
    await hers.getByRole("button", { name: "Revoke it" }).click();
    await expect(hers.getByText(/^revoked/)).toBeVisible();
    expect((await fetch(`${closed.url}/api/v1/session`, { headers })).status).toBe(401);
  });
  return context;
}
