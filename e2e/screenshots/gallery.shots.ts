// Takes screenshots of all pages of a filled product for the documentation: light, dark, phone, and the first sheet in
// print. Writes them to docs/screenshots, whose README shows them.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { type Filled, fill } from "../fixtures/filled.ts";
import { places } from "../fixtures/places.ts";
import { poll } from "../fixtures/poll.ts";
import { checkout, Product } from "../fixtures/product.ts";
import { mailedLink, PeoplePages } from "../pages/PeoplePages.ts";

const folder = join(checkout, "docs", "screenshots");
const largest_bytes = 200_000;
const measured = "/var/tmp/tailroom"; // on a disk, and a path without a person's name

const LOOKS = [
  { look: "light", size: { width: 1280, height: 1000 }, media: { colorScheme: "light", media: "screen" } },
  { look: "dark", size: { width: 1280, height: 1000 }, media: { colorScheme: "dark", media: "screen" } },
  { look: "phone", size: { width: 390, height: 1200 }, media: { colorScheme: "light", media: "screen" } },
  // A4 without Chromium's margins, in CSS pixels.
  { look: "print", size: { width: 718, height: 1047 }, media: { colorScheme: "light", media: "print" } },
] as const;

interface Shot {
  name: string;
  title: string;
  path: (filled: Filled) => string;
  ready: (page: Page) => Promise<void>;
}

const curve = (page: Page): Promise<void> =>
  expect(page.getByRole("figure", { name: /percentile curve/ }).first()).toBeVisible();
const heading = (page: Page): Promise<void> => expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
const table = (page: Page): Promise<void> => expect(page.getByRole("table").first()).toBeVisible();

/** Returns a page of the journeys under the name of its screenshot. */
const asKnown = (name: string, title: string, known: string): Shot => {
  const place = places.find((one) => one.name === known);
  if (place === undefined) throw new Error(`no page is called ${known}`);
  return { name, title, path: place.path, ready: place.ready };
};

const two = ["CD6-R", "CD8P-R"].map((drive) => `publication:kioxia-cd8p-ycsb-2025#test1-r1/${drive}`).join(",");

const SHOTS: Shot[] = [
  asKnown("home", "First page", "first page"),
  asKnown("drives", "Drives", "drives"),
  { name: "drive", title: "A drive", path: () => "/drives/intel-dc-s3700", ready: heading },
  {
    name: "sla",
    title: "My SLA, of a run",
    path: ({ day }) => `/sla?reads=250&sched=parallel&window=1s&reserve=400ms&objective=99.9&run=${day}`,
    ready: async (page) => {
      await expect(page.getByRole("figure", { name: /of transactions .* take/ })).toBeVisible();
      await expect(page.getByRole("region", { name: "What meets it?" })).toBeVisible();
    },
  },
  { name: "runs", title: "Runs", path: () => "/runs", ready: heading },
  { name: "run", title: "A run of this machine's drive", path: ({ run }) => `/runs/${run.run_id}`, ready: curve },
  { name: "run-fraud", title: "A run of the fraud check", path: ({ fraud }) => `/runs/${fraud}`, ready: curve },
  { name: "run-day", title: "The simulated day", path: ({ day }) => `/runs/${day}`, ready: curve },
  {
    name: "run-day-heatmap",
    title: "Its heatmap over time",
    path: ({ day }) => `/runs/${day}#over-time`,
    ready: async (page) => {
      await curve(page);
      const heatmap = page.getByRole("figure", { name: /over time/ }).first();
      await expect(heatmap.locator("canvas").first()).toBeVisible();
      await heatmap.evaluate((figure) => figure.scrollIntoView({ block: "start" }));
    },
  },
  {
    name: "compare",
    title: "Two published configurations",
    path: () => `/compare?of=${encodeURIComponent(two)}`,
    ready: (page) => expect(page.getByRole("figure", { name: /percentile curves/ })).toBeVisible(),
  },
  asKnown("compare-servers", "Server generations", "server generations"),
  { name: "compare-networks", title: "Networks", path: () => "/compare?template=networks", ready: heading },
  {
    name: "compare-drives",
    title: "Drives beside each other",
    path: () => "/compare?template=drives&of=drive:samsung-830,drive:ocz-vertex-4",
    ready: table,
  },
  asKnown("publications", "Publications", "publications"),
  asKnown("publication", "A publication", "publication kioxia-cd8p-ycsb-2025"),
  asKnown("upload", "An upload that was read", "upload that was read"),
  asKnown("formats", "File formats", "formats"),
  asKnown("prices", "Prices", "prices"),
  { name: "campaigns", title: "Campaigns", path: () => "/campaigns", ready: heading },
  {
    name: "campaign",
    title: "A campaign of two agents",
    path: ({ campaign }) => `/campaigns/${campaign}`,
    ready: table,
  },
  asKnown("agents", "Agents", "agents"),
  asKnown("watch", "Watched configurations", "watch"),
  asKnown("glossary", "Glossary", "glossary"),
  { name: "operations", title: "Operations", path: () => "/operations", ready: heading },
  asKnown("sign-in", "Sign in", "sign-in"),
  asKnown("sign-up", "Sign up", "sign-up"),
  asKnown("not-found", "No such page", "page that does not exist"),
];

/** Settings pages, which require a signed-in person. */
const SETTINGS = ["profile", "sessions", "organisation", "members", "tokens", "quota", "trail"].map(
  (tab): Shot => ({
    name: `settings-${tab}`,
    title: `Settings: ${tab === "trail" ? "audit trail" : tab}`,
    path: () => `/settings?tab=${tab}`,
    ready: heading,
  }),
);

let product: Product;
let filled: Filled;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ request }) => {
  test.setTimeout(900_000);
  product = await Product.start({ up: ["--measure", "yes"], environment: { TAILROOM_MEASURE_DIR: measured } });
  await poll(async () => product.announced()[1] ?? null, { within_ms: 240_000, what: "both runs have begun" });
  filled = await fill(product, request);
});
test.afterAll(async () => {
  await product.stop();
  rmSync(measured, { recursive: true, force: true });
});

test("every page in every look", async ({ page }) => {
  test.setTimeout(1_800_000);
  for (const shot of SHOTS) await shootAll(page, shot);
});

test("the settings of somebody who signed up", async ({ page }) => {
  test.setTimeout(600_000);
  const people = new PeoplePages(page);
  const email = "ada@lovelace.example";
  await people.signUp(product.url, email, "Analytical Engines");
  await people.choosePassword(await mailedLink(product, email, /Finish signing up/), "Ada Lovelace");
  for (const shot of SETTINGS) await shootAll(page, shot);
});

test("the pictures are small, and stand on one page", async () => {
  shrink();
  for (const file of readdirSync(folder).filter((one) => one.endsWith(".png")))
    expect(statSync(join(folder, file)).size, file).toBeLessThan(largest_bytes);
  writeFileSync(join(folder, "README.md"), gallery());
});

async function shootAll(page: Page, { name, path, ready }: Shot): Promise<void> {
  for (const { look, size, media } of LOOKS) {
    await page.emulateMedia({ ...media, media: "screen", reducedMotion: "reduce" });
    await page.setViewportSize(size);
    await page.goto(`${product.url}${path(filled)}`);
    await ready(page);
    if (media.media === "print") {
      await page.emulateMedia({ ...media, reducedMotion: "reduce" });
      await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
      await page.evaluate(() => window.scrollTo(0, 0));
    }
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(folder, `${name}-${look}.png`), animations: "disabled", caret: "hide" });
  }
}

/** Reduces the images to at most 256 colours, which leaves a third of their bytes. */
function shrink(): void {
  const program = `
import sys
from pathlib import Path
from PIL import Image
for path in Path(sys.argv[1]).glob("*.png"):
    picture = Image.open(path)
    if picture.mode != "P":
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
`;
  const done = spawnSync(join(checkout, ".venv", "bin", "python"), ["-c", program, folder], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
}

function gallery(): string {
  const rows = [...SHOTS, ...SETTINGS].map(
    ({ name, title }) => `| ${title} | ${LOOKS.map(({ look }) => `[${look}](${name}-${look}.png)`).join(" | ")} |`,
  );
  return [
    "# All pages",
    "",
    "Each page light, dark, on a phone of 390 px, and the first sheet of its print. Made by `npm run screenshots -w e2e` from a product that",
    "`make up` filled: two measurements of 30 s, the simulated day, an uploaded log, prices, a watch and a campaign.",
    "",
    "| page | light | dark | phone | print |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
