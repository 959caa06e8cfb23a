// Measures how long the leaderboard takes to become usable with 1,000 drives, 10 loads and 3 sources each: from
// navigation to the first rows and an answered key or click. Also measures frame times while scrolling.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { checkout, type Product } from "../fixtures/product.ts";
import { sharedProduct } from "../fixtures/shared.ts";
import { median, report } from "./machine.ts";

const rounds = 5;
const goal_ms = 1_000;
const drives = 1_000;
const steps = 120;

test("the leaderboard with a thousand drives", async ({ browser }) => {
  const product = sharedProduct();
  const filled = fill(product);
  const places = [
    { name: "as it opens", query: "" },
    { name: "one table", query: "?view=table" },
    { name: "rows of all conditions", query: "?equal=no&view=table" },
    { name: "own transaction", query: "?equal=no&reads=250&view=table" },
  ];
  const lines: string[] = [];
  for (const { name, query } of places) {
    const figures = [];
    for (let round = 0; round < rounds; round += 1) {
      // A new context, so that the browser has nothing cached from the previous round.
      const page = await (await browser.newContext()).newPage();
      figures.push(await opened(page, `${product.url}/drives${query}`));
      await page.context().close();
    }
    const [first = 0] = figures;
    lines.push(
      `  ${name}: first ${first.toFixed(0)} ms, median of ${rounds} ${median(figures).toFixed(0)} ms (${figures.map((one) => one.toFixed(0)).join(", ")})`,
    );
  }
  const page = await browser.newPage();
  await opened(page, `${product.url}/drives?equal=no&view=table`);
  const { frames_ms, rows } = await scrolled(page);
  const sorted = frames_ms.toSorted((left, right) => left - right);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  const sent = await thousandRows(product);
  report([
    `a thousand rows as JSON: ${(sent.bytes / 1e6).toFixed(2)} MB, packed ${(sent.packed / 1e6).toFixed(2)} MB; goal: 2 MB`,
    `${filled}; page usable, goal: ${goal_ms} ms`,
    ...lines,
    `scrolling through ${rows} rows in ${steps} steps: frames of ${at(0.5)} ms in the middle, ${at(0.95)} ms at p95, ${at(1)} ms at most`,
  ]);
});

/** Returns the milliseconds until rows are drawn and the page reacts to input. */
async function opened(page: Page, address: string): Promise<number> {
  const began = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  const drive = page.getByRole("main").getByRole("rowheader").first().getByRole("link");
  await drive.waitFor({ timeout: 60_000 });
  await drive.focus();
  if (address.includes("view=table")) {
    await page.keyboard.press("ArrowDown");
    await expect(page.locator(":focus")).toHaveAttribute("href", /^\/drives\//);
  } else {
    // All drives in groups: adding one to the shortlist must show the shortlist.
    const box = page.getByRole("main").getByRole("checkbox").first();
    await box.check();
    await expect(page.getByRole("region", { name: "Shortlist" })).toBeVisible();
  }
  return performance.now() - began;
}

/** Scrolls a little in each frame. Returns the frame times in milliseconds and the number of rows. */
async function scrolled(page: Page): Promise<{ frames_ms: number[]; rows: number }> {
  const frames_ms = await page.evaluate(
    (count) =>
      new Promise<number[]>((resolve) => {
        const region = document.querySelector("table[role=grid]")?.parentElement;
        const frames: number[] = [];
        let last = performance.now();
        const step = () => {
          const now = performance.now();
          frames.push(now - last);
          last = now;
          region?.scrollBy(0, 480);
          if (frames.length < count) requestAnimationFrame(step);
          else resolve(frames);
        };
        requestAnimationFrame(step);
      }),
    steps,
  );
  const rows = await page.locator("table[role=grid]").getAttribute("aria-rowcount");
  return { frames_ms, rows: Number(rows) - 1 };
}

/** Returns the bytes of 1,000 rows of all conditions, as JSON and compressed, as the pages request them. */
async function thousandRows(product: Product): Promise<{ bytes: number; packed: number }> {
  const sent = { bytes: 0, packed: 0 };
  let cursor: string | null = null;
  for (let rows = 0; rows < 1_000; ) {
    const query: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await fetch(`${product.url}/api/v1/leaderboard?equal=false&limit=500${query}`, {
      headers: { "Accept-Encoding": "gzip" },
    });
    sent.packed += Number(answer.headers.get("content-length") ?? 0);
    const text = await answer.text();
    sent.bytes += Buffer.byteLength(text);
    const page = JSON.parse(text) as { rows: unknown[]; next_cursor: string | null };
    rows += page.rows.length;
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return sent;
}

function fill(product: Product): string {
  const { TAILROOM_DATABASE_URL: url } = product.serviceEnvironment();
  if (url === undefined) throw new Error("the API does not say where its database is");
  const done = spawnSync(
    join(checkout, ".venv", "bin", "python"),
    ["-m", "backend.bench.many_drives", "--url", url, "--drives", String(drives)],
    { cwd: checkout, encoding: "utf8", env: { ...process.env, PYTHONPATH: checkout } },
  );
  if (done.status !== 0) throw new Error(`many_drives.py ended with ${done.status}: ${done.stderr}`);
  return done.stdout.trim().split("\n").at(-1) ?? "";
}
