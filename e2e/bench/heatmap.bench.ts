// Measures how long the heatmap of a day takes to appear in a new browser context, and frame times while moving it by
// keys.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Page, test } from "@playwright/test";
import { Api } from "../fixtures/api.ts";
import { checkout } from "../fixtures/product.ts";
import { sharedProduct } from "../fixtures/shared.ts";
import { median, report } from "./machine.ts";

const rounds = 5;
const goal_ms = 1_000;
const goal_frames_per_s = 30;
const keys = 60;

test("the heatmap of a day", async ({ browser }) => {
  const product = sharedProduct();
  const form = new FormData();
  form.append("files", new Blob([day()]), "simulated-day.ndjson");
  const answer = await fetch(`${product.url}/api/v1/uploads`, { method: "POST", body: form });
  const { runs } = (await answer.json()) as { runs: { run_id: string }[] };
  const run = runs[0]?.run_id ?? "";
  await new Api(product.url).judged(run, 240_000);

  const figures = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await (await browser.newContext()).newPage();
    const began = performance.now();
    await page.goto(`${product.url}/runs/${run}`, { waitUntil: "commit" });
    await drawn(page);
    figures.push(performance.now() - began);
    await page.context().close();
  }
  const page = await browser.newPage();
  await page.goto(`${product.url}/runs/${run}`);
  await drawn(page);
  const frames_ms = (await moved(page)).toSorted((left, right) => left - right);
  const at = (share: number) => frames_ms[Math.min(frames_ms.length - 1, Math.floor(share * frames_ms.length))] ?? 0;
  report([
    `heatmap of 24 h, 1,440 intervals of a minute; goal: first picture after ${goal_ms} ms, ${goal_frames_per_s} frames/s`,
    `  first picture: median of ${rounds} ${median(figures).toFixed(0)} ms (${figures.map((one) => one.toFixed(0)).join(", ")})`,
    `  zooming and moving by ${keys} keys: frames of ${at(0.5).toFixed(1)} ms in the middle, ${at(0.95).toFixed(1)} ms at p95, ${at(1).toFixed(1)} ms at most`,
  ]);
});

/** Waits until the canvas has cells of several colours. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const canvas = document.querySelector<HTMLCanvasElement>("figure canvas");
      if (canvas === null || canvas.width === 0 || canvas.height === 0) return false;
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      const colours = new Set<string>();
      for (let at = 0; at < data.length; at += 64) colours.add(`${data[at]} ${data[at + 1]} ${data[at + 2]}`);
      return colours.size > 3;
    },
    undefined,
    { timeout: 60_000, polling: "raf" },
  );
}

/** Zooms in three times, then moves in each frame. Returns the frame times in milliseconds. */
async function moved(page: Page): Promise<number[]> {
  const reader = page.getByRole("figure", { name: /every bucket over time/ }).getByRole("slider");
  await reader.focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("+");
  return page.evaluate(
    (count) =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = [];
        let last = performance.now();
        const step = () => {
          const now = performance.now();
          frames.push(now - last);
          last = now;
          const key = frames.length % 12 === 0 ? (frames.length % 24 === 0 ? "+" : "-") : "ArrowRight";
          document.activeElement?.dispatchEvent(
            new KeyboardEvent("keydown", { key, shiftKey: key === "ArrowRight", bubbles: true, cancelable: true }),
          );
          if (frames.length < count) requestAnimationFrame(step);
          else resolve(frames);
        };
        requestAnimationFrame(step);
      }),
    keys,
  );
}

/** Returns the result file of the simulated day that `make up` shows as an example. */
function day(): Uint8Array<ArrayBuffer> {
  const program =
    "import sys; from tailroom.embedded.example import result_file; sys.stdout.buffer.write(result_file())";
  const done = spawnSync(join(checkout, ".venv", "bin", "python"), ["-c", program], { maxBuffer: 2 ** 26 });
  if (done.status !== 0) throw new Error(`the day was not made: ${done.stderr}`);
  return new Uint8Array(done.stdout);
}
