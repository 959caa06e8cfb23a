// Holds the first load of the pages to its budget: every script that index.html asks for before anything is shown, as gzip
// sends it. Builds first where the build is older than its sources; their types are a check of its own.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { staleReason } from "./sources.mjs";

const BUDGET_BYTES = 200_000;
const here = import.meta.dirname;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

if (staleReason() !== null) {
  const built = spawnSync("npx", ["--no-install", "vite", "build"], {
    cwd: here,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (built.status !== 0) process.exit(1);
}

const page = readFileSync(join(here, "dist", "index.html"), "utf8");
const scripts = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path]) => path);
const sizes = scripts
  .map((path) => ({ path, bytes: gzipSync(readFileSync(join(here, "dist", path)), { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);

const problems = [];
if (scripts.length === 0) problems.push("index.html asks for no script: is this a build?");
if (total > BUDGET_BYTES) {
  problems.push(
    `First load: ${kilobytes(total)} of JavaScript (gzip), ${kilobytes(total - BUDGET_BYTES)} over the budget of ${kilobytes(BUDGET_BYTES)}.`,
    ...sizes.map(({ path, bytes }) => `  ${kilobytes(bytes).padStart(9)}  ${path}`),
    "Load what only one page needs with that page (lazyRouteComponent, import()).",
  );
}
if (scripts.some((path) => /\/charts-/.test(path)))
  problems.push("The charts are in the first load: a page is not lazy.");

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`first load: ${kilobytes(total)} of ${kilobytes(BUDGET_BYTES)} JavaScript (gzip)`);
