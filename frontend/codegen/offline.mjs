// Makes one script of src/offline for pages that work without a server (backend/src/tailroom/reports/templates/offline.js); with
// --check it only says whether that is current. It is not minified: a reader who doubts the page can read it there.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const target = new URL("../../backend/src/tailroom/reports/templates/offline.js", import.meta.url);
const header = "// Generated from frontend/src/offline by `npm run offline -w frontend`. Do not edit.\n";
const frontend = new URL("../", import.meta.url);
// The bundler names files relative to the working directory.
process.chdir(fileURLToPath(frontend));

const [{ output }] = await build({
  root: fileURLToPath(frontend),
  configFile: false,
  publicDir: false,
  logLevel: "error",
  resolve: { alias: { "@": fileURLToPath(new URL("src", frontend)) } },
  build: {
    write: false,
    minify: false,
    target: "es2022",
    lib: { entry: fileURLToPath(new URL("src/offline/main.ts", frontend)), formats: ["iife"], name: "offline" },
  },
});
const wanted = header + output[0].code;

if (wanted.includes("</script")) throw new Error("the script would end the element that holds it");
if (process.argv.includes("--check")) {
  const present = await readFile(target, "utf8").catch(() => "");
  if (present !== wanted) {
    console.error("the script of offline pages is older than frontend/src/offline. Run: npm run offline -w frontend");
    process.exit(1);
  }
} else {
  await writeFile(target, wanted);
  console.log(`wrote ${fileURLToPath(target)}`);
}
