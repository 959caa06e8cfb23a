// What needs a product of its own. The first measurement appears live and ends with a verdict, as after `make up`: the
// real agent measures the real disk and a real Valkey while the run page is open. Then rows to trust: the edition of a
// quarter, which is permanent, an objection with its answer, and a drive with equal results from two organisations,
// whose published runs are on every leaderboard.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Api } from "../../fixtures/api.ts";
import { poll } from "../../fixtures/poll.ts";
import { checkout, Product } from "../../fixtures/product.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import type { RunPage } from "../../pages/RunPage.ts";

const duration_s = 15;
const SLUG = "intel-dc-s3700";
const REASON = "The drive had not been purged before.";
const ANSWER = "The document says how it was prepared, and that is shown beside the test.";

/** Publishes days of ACT. Each line has an organisation, its share of late reads, and its drive's serial number. */
const PUBLISH = `
import sys
from backend.tests.ratings.test_standing import Board
from tailroom.kit.db import Database
from tailroom.kit.settings import get_settings
board = Board(Database.from_settings(get_settings()), None, "", [])
for seed, line in enumerate(sys.stdin):
    owner, late_ratio, serial = line.split()
    board.publish(owner, float(late_ratio), serial * 64, seed)
    print("published", flush=True)
board.database.dispose()
`;

let own: Product;
let api: Api;

test.beforeAll(async () => {
  test.setTimeout(300_000); // starts its own product, while two other journeys run
  own = await Product.start({
    up: ["--measure", "yes", "--seconds", String(duration_s), "--keys", "20000", "--no-example"],
  });
  api = new Api(own.url);
});
test.afterAll(() => own.stop());

test("first measurement appears live and ends with a verdict", async ({ page, runPage }) => {
  test.setTimeout(480_000);

  await test.step("the device run is seen live", async () => {
    await page.goto(await announced(0));
    await expect(runPage.title).toHaveText(/device/i);
    await expectLive(runPage, /^Read: response time over time/);
  });

  await test.step("and ends with the verdict that the API gives", async () => {
    await expectFinalVerdicts(runPage);
  });

  await test.step("the fraud run is seen live", async () => {
    await page.goto(await announced(1));
    await expect(runPage.title).toHaveText(/250 reads in 1 s/);
    await expectLive(runPage, /^Transaction: response time over time/);
  });

  await test.step("and ends with a verdict that model and measured transactions stand behind", async () => {
    await expectFinalVerdicts(runPage);
    await expect(runPage.cards.filter({ hasText: /of 1,5\d\d transactions were in time/ })).toHaveCount(1);
    await expectAccessible(page);
  });

  await test.step("the terminal says the same", async () => {
    await expect.poll(() => own.log()).toContain("stays up until Ctrl-C");
    for (const { verdicts } of await finishedRuns()) {
      // The terminal prints each run's first answer; the page shows all.
      expect(own.log()).toContain(shown(String(verdicts[0]?.verdict)));
    }
  });
});

test.describe("editions", () => {
  // A console error of the browser for an edition that does not exist.
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
  const python = spawn(join(checkout, ".venv", "bin", "python"), ["-c", PUBLISH], {
    cwd: checkout,
    env: own.serviceEnvironment(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const publish = async (run: string): Promise<void> => {
    python.stdin.write(`${run}\n`);
    expect((await answers.next()).value).toBe("published");
  };
  const row = page
    .getByRole("row")
    .filter({ hasText: /S3700/ })
    .filter({ hasText: /organisations?/ });
  await test.step("one organisation: self-reported", async () => {
    await publish("first 0.01 a");
    await page.goto(`${own.url}/drives?search=s3700`);
    await expect(row.first()).toContainText("an organisation");
    await expect(row.first()).not.toContainText(/confirmed|contradicted/);
  });
  await test.step("a second one, on another drive: confirmed", async () => {
    await publish("second 0.01 b");
    await page.reload();
    await expect(row.first()).toContainText("2 organisations · confirmed");
  });
  await test.step("a third one that measured otherwise: contradicted", async () => {
    await publish("third 0.06 c");
    await page.reload();
    await expect(row.first()).toContainText("3 organisations · contradicted");
  });
  python.stdin.end();
});

/** Returns the URL of the first or second run's page, as soon as it is printed. */
function announced(position: number): Promise<string> {
  return poll(async () => own.announced()[position] ?? null, {
    within_ms: 120_000,
    what: `tailroom up prints the address of run ${position + 1}`,
  });
}

/** Asserts that new points and a first verdict appear while the run is live. */
async function expectLive(runPage: RunPage, chart: RegExp): Promise<void> {
  await expect(runPage.state).toContainText("live");
  await expect(runPage.chart(chart)).toBeVisible();
  const before = await runPage.positions(chart);
  await expect.poll(() => runPage.positions(chart)).toBeGreaterThanOrEqual(before + 3);
  await expect(runPage.provisional).not.toHaveCount(0);
}

/** Asserts that the page shows the API's final verdicts without a reload. */
async function expectFinalVerdicts(runPage: RunPage): Promise<void> {
  // While other processes use both cores, transactions fall behind; those that were due are carried out after the end.
  await expect(runPage.state).toContainText(new RegExp(`${duration_s}\\ss, complete`), { timeout: 180_000 });
  await expect(runPage.provisional).toHaveCount(0);
  const run = await api.judged(runPage.runId());
  expect(run.missing).toEqual([]);
  await expect(runPage.cards).toHaveCount(run.verdicts.length);
  for (const [position, verdict] of run.verdicts.entries()) {
    await expect(runPage.cards.nth(position)).toContainText(shown(verdict.verdict));
  }
  await expect(runPage.facts).toContainText("none missing");
}

/** Returns the word for a verdict on pages and in the terminal. */
const shown = (verdict: string): string => (verdict === "INDETERMINATE" ? "Undecided" : verdict);

interface Finished {
  simulated: boolean;
  phase_kind: string | null;
  verdicts: { verdict: string }[];
}

/** Returns the two measured runs. The run that fills the database is not judged. */
async function finishedRuns(): Promise<Finished[]> {
  const { runs } = await api.get<{ runs: Finished[] }>("/runs?state=finished");
  expect(runs.filter(({ simulated }) => simulated)).toEqual([]);
  const measured = runs.filter(({ phase_kind }) => phase_kind === null);
  expect(measured).toHaveLength(2);
  return measured;
}
