// The heatmap of a run of 24 hours with a histogram for every ten seconds: how long after asking for the page its first picture is
// drawn, in a browser that has nothing yet; and how evenly it follows when it is moved along and zoomed in every frame.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Locator, type Page, test } from "@playwright/test";
import { checkout } from "../fixtures/product.ts";
import { sharedProduct } from "../fixtures/shared.ts";
import { median, report } from "./machine.ts";

const rounds = 5;
const goal_ms = 1_000;
const goal_frames_per_s = 30;
const steps = 120;
const histograms = 8_640;

test("the heatmap of a day", async ({ browser }) => {
  const product = sharedProduct();
  const run = stored(product.serviceEnvironment()["TAILROOM_DATABASE_URL"] ?? "");
  const address = `${product.url}/runs/${run}`;
  const first: number[] = [];
  const usable: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // A context of its own: nothing is cached by the browser from the round before.
    const context = await browser.newContext();
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(address, { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    usable.push(performance.now() - began);
    await drawn(page);
    first.push(performance.now() - began);
    await context.close();
  }
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  await drawn(page);
  const reader = page.getByRole("figure", { name: /every bucket over time/ }).getByRole("slider");
  for (let times = 0; times < 4; times += 1) await reader.press("+");
  await page.waitForTimeout(2_000);
  const panned = await frames(reader, ["Shift+ArrowRight"], steps / 2).then(async (there) => [
    ...there,
    ...(await frames(reader, ["Shift+ArrowLeft"], steps / 2)),
  ]);
  const zoomed = await frames(reader, ["+", "+", "+", "-", "-", "-"], steps);
  report([
    `a run of 24 h, ${histograms.toLocaleString("en-GB")} histograms; first picture, goal: ${goal_ms} ms; moving, goal: ${goal_frames_per_s} frames/s`,
    `  title of the page: median ${median(usable).toFixed(0)} ms (${usable.map((one) => one.toFixed(0)).join(", ")})`,
    `  first picture: median ${median(first).toFixed(0)} ms (${first.map((one) => one.toFixed(0)).join(", ")})`,
    `  moved along in every frame: ${evenness(panned)}`,
    `  zoomed in every frame: ${evenness(zoomed)}`,
  ]);
});

/** Until the cells of the heatmap have more colours than its ground. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const canvas = document.querySelector("figure canvas");
      if (!(canvas instanceof HTMLCanvasElement) || canvas.width < 10) return false;
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      const colours = new Set<number>();
      for (let at = 0; at < data.length; at += 4)
        colours.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
      return colours.size > 3;
    },
    undefined,
    { polling: "raf", timeout: 60_000 },
  );
}

/** Milliseconds of every frame while a key is pressed in each. */
function frames(reader: Locator, keys: readonly string[], count: number): Promise<number[]> {
  return reader.evaluate(
    (element, { keys, count }) =>
      new Promise<number[]>((resolve) => {
        const found: number[] = [];
        let last = performance.now();
        const step = () => {
          const now = performance.now();
          found.push(now - last);
          last = now;
          const [key = "", isShifted = ""] = (keys[found.length % keys.length] ?? "").split("+").reverse();
          element.dispatchEvent(
            new KeyboardEvent("keydown", {
              key: key === "" ? "+" : key,
              shiftKey: isShifted === "Shift",
              bubbles: true,
            }),
          );
          if (found.length <= count) requestAnimationFrame(step);
          // The first frame began before the first key.
          else resolve(found.slice(1));
        };
        requestAnimationFrame(step);
      }),
    { keys, count },
  );
}

function evenness(frames_ms: readonly number[]): string {
  const sorted = frames_ms.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const mean = frames_ms.reduce((sum, one) => sum + one, 0) / frames_ms.length;
  return `${(1000 / mean).toFixed(0)} frames/s; frames of ${at(0.5).toFixed(1)} ms in the middle, ${at(0.95).toFixed(1)} ms at p95, ${at(1).toFixed(1)} ms at most`;
}

function stored(url: string): string {
  const done = spawnSync(
    join(checkout, ".venv", "bin", "python"),
    ["-m", "backend.bench.day_run", "--url", url, "--intervals", String(histograms)],
    { cwd: checkout, encoding: "utf8", env: { ...process.env, PYTHONPATH: checkout } },
  );
  if (done.status !== 0) throw new Error(`day_run.py ended with ${done.status}: ${done.stderr}`);
  return done.stdout.trim();
}
