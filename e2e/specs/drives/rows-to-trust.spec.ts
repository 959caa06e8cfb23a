// Trustworthy rows: the edition of a quarter, an objection with its answer, and a drive with equal results from two
// organisations. The product is separate, since editions are permanent and published runs are on every leaderboard.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checkout, Product } from "../../fixtures/product.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const SLUG = "intel-dc-s3700";
const REASON = "The drive had not been purged before.";
const ANSWER = "The document says how it was prepared, and that is shown beside the test.";

/** Publishes days of ACT. Each argument has an organisation, its share of late reads, and its drive's serial number. */
const PUBLISH = `
import sys
from backend.tests.ratings.test_standing import Board
from tailroom.kit.db import Database
from tailroom.kit.settings import get_settings
board = Board(Database.from_settings(get_settings()), None, "", [])
for seed, run in enumerate(sys.argv[1:]):
    owner, late_ratio, serial = run.split(":")
    board.publish(owner, float(late_ratio), serial * 64, seed)
board.database.dispose()
`;

let own: Product;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  own = await Product.start();
});
test.afterAll(() => own.stop());
test.use({ expectedErrors: /status of 404/ });

test("an edition is made, opens from the board, and never changes", async ({ page }) => {
  const [, name = ""] = /edition=(\S+)/.exec(own.command("edition", "make")) ?? [];
  expect(name).toMatch(/^\d{4}-Q[1-4]$/);
  await page.goto(`${own.url}/drives`);
  await page.getByRole("navigation", { name: "Editions" }).getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Edition ${name}` })).toBeVisible();
  await expect(page.getByText(/\d+ rows, made on .* An edition never changes\./)).toBeVisible();
  await expect(page.getByText("Changed since, on the living board: nothing.")).toBeVisible();
  await expectAccessible(page);
  expect(() => own.command("edition", "make", name)).toThrow(/exists already, and editions never change/);

  await page.getByRole("navigation", { name: "Editions" }).getByRole("link", { name: "the living board" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Edition ${name}` })).toBeHidden();
  await page.goto(`${own.url}/drives?edition=1999-Q1`);
  await expect(page.getByRole("alert")).toHaveText("There is no edition 1999-Q1.");
});

test("an objection waits for a moderator, is answered, and is withdrawn", async ({ page, browser }) => {
  const objections = page.getByRole("region", { name: "Objections" });
  await test.step("somebody objects to a test", async () => {
    await page.goto(`${own.url}/drives/${SLUG}`);
    await objections.getByText("Object to a test").click();
    await objections.getByLabel("What is wrong with it").fill(REASON);
    await objections.getByRole("button", { name: "Object" }).click();
    await expect(objections.getByRole("listitem")).toContainText(REASON);
    await expect(objections.getByRole("listitem")).toContainText("waits for a moderator");
    await expectAccessible(page);
  });

  const moderator = await (await browser.newContext()).newPage();
  await test.step("a moderator cannot publish without an answer, and answers", async () => {
    await moderator.goto(`${own.url}/operations`);
    const row = moderator.getByRole("row").filter({ hasText: REASON });
    const publish = row.getByRole("button", { name: /^Publish the objection to / });
    await expect(publish).toBeDisabled();
    await moderator.getByLabel("Answer of the next decision").fill(ANSWER);
    await publish.click();
    await expect(row).toContainText("published");
    await expect(row).toContainText(ANSWER);
    await expectAccessible(moderator);
    await moderator.context().close();
  });

  await test.step("its page shows reason and answer, until it is withdrawn", async () => {
    await page.reload();
    await expect(objections.getByRole("listitem")).toContainText(`Answer, `);
    await expect(objections.getByRole("listitem")).toContainText(ANSWER);
    await objections.getByRole("button", { name: "Withdraw" }).click();
    await expect(objections.getByRole("listitem")).toContainText("withdrawn; only your organisation sees it");
  });
});

test("a drive that two organisations measured alike is confirmed, and one that a third contradicts is not", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const publish = (...runs: string[]): void => {
    const python = join(checkout, ".venv", "bin", "python");
    const done = spawnSync(python, ["-c", PUBLISH, ...runs], {
      cwd: checkout,
      env: own.serviceEnvironment(),
      encoding: "utf8",
    });
    expect(done.status, done.stderr).toBe(0);
  };
  const row = page
    .getByRole("row")
    .filter({ hasText: /S3700/ })
    .filter({ hasText: /organisations?/ });
  await test.step("one organisation: self-reported", async () => {
    publish("first:0.01:a");
    await page.goto(`${own.url}/drives?search=s3700`);
    await expect(row.first()).toContainText("an organisation");
    await expect(row.first()).not.toContainText(/confirmed|contradicted/);
  });
  await test.step("a second one, on another drive: confirmed", async () => {
    publish("second:0.01:b");
    await page.reload();
    await expect(row.first()).toContainText("2 organisations · confirmed");
  });
  await test.step("a third one that measured otherwise: contradicted", async () => {
    publish("third:0.06:c");
    await page.reload();
    await expect(row.first()).toContainText("3 organisations · contradicted");
  });
});
