// A run as one file that opens from disk without server and network: it computes its verdicts again, zooms, and answers
// other questions.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Locator, Page } from "@playwright/test";
import { checkout } from "../../fixtures/product.ts";
import { Desk } from "../../fixtures/samples.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const MOST_BYTES = 3_000_000;
const SAME = "Worked out again here from the counts in this page: the same verdict and the same bounds.";
const python = join(checkout, ".venv", "bin", "python");

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

/** Opens a file in an offline browser, and records every request beyond the file. */
async function openedOffline(browser: Browser, path: string): Promise<{ page: Page; asked: string[] }> {
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => asked.push(String(error)));
  page.on("console", (message) => asked.push(message.text()));
  await page.goto(pathToFileURL(path).href);
  return { page, asked };
}

async function asking(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.getByRole("button", { name: "Answer", exact: true }).click();
}

test("a stored run is saved as a page that opens without a network", async ({
  page,
  browser,
  finishedRun,
  runPage,
}) => {
  await runPage.open(finishedRun.run_id);
  await page.getByRole("button", { name: "Share" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Page for later" }).click();
  const path = join(desk.path, "run.html");
  await (await download).saveAs(path);
  const { page: saved, asked } = await openedOffline(browser, path);
  await expect(saved.getByText(SAME).first()).toBeVisible();
  await asking(saved, "p50 read < 1h");
  await expect(saved.getByRole("status").first()).toContainText("PASS");
  expect(asked).toEqual([pathToFileURL(path).href]);
  await saved.context().close();
});

test("a day fits one page, which zooms, answers, and is judged as by the command line", async ({ browser }) => {
  test.setTimeout(240_000);
  const day = join(desk.path, "day.ndjson");
  const made = "import sys; from tailroom.embedded.example import result_file; sys.stdout.buffer.write(result_file())";
  desk.write("day.ndjson", spawnSync(python, ["-c", made], { maxBuffer: 1 << 26 }).stdout);
  const path = join(desk.path, "day.html");
  const run = (...options: string[]): string =>
    spawnSync(python, ["-m", "tailroom.cli.main", ...options], { encoding: "utf8" }).stdout;
  run("pack", day, "--no-sign", "--output", join(desk.path, "pack.zip"), "--page", path);
  expect(statSync(path).size).toBeLessThan(MOST_BYTES);

  const { page, asked } = await openedOffline(browser, path);
  await test.step("its verdicts are worked out again, and are the same", async () => {
    const verdicts = page.getByRole("region", { name: "Verdicts" }).getByRole("article");
    await expect(verdicts.filter({ hasText: SAME })).toHaveCount(4, { timeout: 60_000 });
    await expect(verdicts.filter({ hasText: "In every full hour of a day" })).toContainText("FAIL in this run");
    await expect(page.locator('[data-same="false"]')).toHaveCount(0);
  });

  for (const question of ["99.9% read < 1ms", "p99.99 read < 82ms"]) {
    await test.step(`${question}: the same words and shares as by the command line`, async () => {
      await asking(page, question);
      const judged = JSON.parse(run("judge", day, "--objective", question, "--json")) as Judged;
      const shown = page.getByRole("status").first();
      await expect(shown.locator(".sign")).toHaveText(judged.words);
      for (const side of ["lower", "upper"] as const) {
        // Counts are equal in every bit, confidence limits in more digits than are printed.
        expect(await shareIn(shown, `observed-${side}`)).toBe(judged.observed[side]);
        expect(await shareIn(shown, `proven-${side}`)).toBeCloseTo(judged.proven[side], 10);
      }
    });
  }

  await test.step("a question about transactions: the same words and shares as by the command line", async () => {
    await page.getByRole("textbox", { name: "Operations" }).fill("32"); // two waves show what sixteen do
    await page.getByRole("combobox", { name: "How" }).selectOption("in waves of");
    await page.getByRole("textbox", { name: "Within" }).fill("70ms");
    await page.getByRole("button", { name: "Answer for transactions" }).click();
    const waves = ["--reads", "32", "--fan-out", "16", "--scheduling", "waves", "--window", "70ms"];
    const judged = JSON.parse(run("judge", day, ...waves, "--json")) as Judged;
    const shown = page.getByRole("status").nth(1);
    await expect(shown.locator(".sign")).toHaveText(judged.words, { timeout: 60_000 });
    for (const side of ["lower", "upper"] as const) {
      expect(await shareIn(shown, `observed-${side}`)).toBeCloseTo(judged.observed[side], 9);
      expect(await shareIn(shown, `proven-${side}`)).toBeCloseTo(judged.proven[side], 9);
    }
  });

  await test.step("a question that cannot be read is refused with how to write one", async () => {
    await asking(page, "fast enough?");
    await expect(page.getByRole("alert")).toContainText("A share comes first");
  });

  await test.step("the course zooms to hours, moves, and goes back", async () => {
    const course = page.getByRole("figure", { name: "Course of read, response time" });
    await expect(course.getByRole("status")).toHaveText("the beginning to 24 h");
    await course.getByRole("button", { name: "Zoom in" }).click();
    await expect(course.getByRole("status")).toHaveText("6 h to 18 h");
    await course.getByRole("button", { name: "Later" }).click();
    await expect(course.getByRole("status")).toHaveText("12 h to 24 h");
    const box = (await course.locator("svg").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
    await page.mouse.up();
    await expect(course.getByRole("status")).toHaveText(/^17\sh\s\d+\smin to 20\sh/);
    await course.getByRole("button", { name: "Whole run" }).click();
    await expect(course.getByRole("status")).toHaveText("the beginning to 24 h");
  });

  await test.step("it reads well, also with a screen reader, and asks for nothing", async () => {
    await expectAccessible(page);
    expect(asked).toEqual([pathToFileURL(path).href]);
  });
  await page.context().close();
});

const shareIn = async (answer: Locator, name: string): Promise<number> =>
  Number(await answer.locator(`data.${name}`).getAttribute("value"));

type Bounds = { lower: number; upper: number };
type Judged = { words: string; observed: Bounds; proven: Bounds };
