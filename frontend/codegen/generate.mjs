// Writes the TypeScript types of the API from docs/contracts/openapi.json; with --check it only says whether they are current.
// openapi-typescript needs the TypeScript 5 compiler API, which is why the root pins 5.9 while the front end compiles with 7.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const contract = new URL("../../docs/contracts/openapi.json", import.meta.url);
const target = new URL("../src/api/generated/schema.d.ts", import.meta.url);
const header = "// Generated from docs/contracts/openapi.json by `npm run generate -w frontend`. Do not edit.\n\n";

let document;
try {
  document = JSON.parse(await readFile(contract, "utf8"));
} catch (error) {
  console.error(`Cannot read ${fileURLToPath(contract)}: ${error.message}\nWrite it with: tailroom openapi`);
  process.exit(1);
}
const wanted = header + astToString(await openapiTS(document, { alphabetize: true, rootTypes: false }));

if (process.argv.includes("--check")) {
  const present = await readFile(target, "utf8").catch(() => "");
  if (present !== wanted) {
    console.error(
      "frontend/src/api/generated is older than docs/contracts/openapi.json. Run: npm run generate -w frontend",
    );
    process.exit(1);
  }
} else {
  await mkdir(dirname(fileURLToPath(target)), { recursive: true });
  await writeFile(target, wanted);
  console.log(`wrote ${fileURLToPath(target)}`);
}
