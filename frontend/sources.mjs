// Tells whether the built pages are those of the sources: a digest of everything that goes into a build, written beside it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const FOLDERS = ["src", "public"];
const FILES = ["../package-lock.json", "index.html", "package.json", "sources.mjs", "tsconfig.json", "vite.config.ts"];
const NOT_BUILT = /\.test\.tsx?$|^src\/test\//;
export const DIGEST_FILE = join(here, "dist", "sources.sha256");

/** SHA-256 over names and contents of what is built, packages by their lock file. */
export function sourcesDigest() {
  const hash = createHash("sha256");
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(here, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(here.length + 1)),
  ).filter((name) => !NOT_BUILT.test(name));
  for (const name of [...FILES, ...found].sort()) {
    const content = readFileSync(join(here, name));
    hash.update(`${name} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** Why the build in dist/ must not be used, or null. */
export function staleReason() {
  let built;
  try {
    built = readFileSync(DIGEST_FILE, "utf8").trim();
  } catch {
    return "frontend/dist holds no complete build";
  }
  return built === sourcesDigest() ? null : "frontend/dist was built from other sources than those in frontend/";
}
