// How the page is built, served while developing, and tested. One API process answers everything under /api.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { minifySync, type Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { DIGEST_FILE, sourcesDigest } from "./sources.mjs";

const backend = process.env["TAILROOM_BACKEND_URL"] ?? "http://127.0.0.1:8400";

export default defineConfig({
  plugins: [
    // Writes src/routeTree.gen.ts from the files of src/routes; the component of each is a chunk of its own.
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routeFileIgnorePattern: "search|useView",
      quoteStyle: "double",
      semicolons: true,
    }),
    react(),
    screens(),
    { name: "sources-digest", apply: "build", closeBundle: () => writeFileSync(DIGEST_FILE, sourcesDigest()) },
  ],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { host: "127.0.0.1", proxy: { "/api": backend } },
  build: {
    target: "es2022",
    // Nothing is inlined as data:, so that the page works under default-src 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files: on a first visit each costs as much as ten kilobytes more in another.
        codeSplitting: {
          groups: [
            { name: "libraries", priority: 4, tags: ["$initial"], test: /node_modules/ },
            { name: "first", priority: 3, tags: ["$initial"] },
            {
              name: "charts",
              priority: 2,
              test: /node_modules\/(recharts|d3-|victory-vendor|@reduxjs|redux|react-redux|immer|reselect|es-toolkit|decimal)/,
            },
            { name: "forms", priority: 2, test: /node_modules\/(zod|@mantine\/form|@standard-schema)/ },
            { name: "drawing", priority: 1, test: /src\/charts\//, minShareCount: 2 },
            { name: "shared", test: /\/(src|node_modules)\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
  test: {
    environment: "happy-dom",
    setupFiles: ["./src/test/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    css: false,
    // Files share a document, which costs a third of a second to make: each test leaves it clean (src/test/setup.ts).
    isolate: false,
    unstubGlobals: true,
    // A busy machine is slow, and a test that waits for a condition needs no short end.
    testTimeout: 20_000,
    restoreMocks: true,
  },
});

/** Which screens public/ahead.js gets while the first scripts are on their way. */
const AHEAD = {
  "/": "index",
  "/drives": "drives.index",
  "/runs": "runs.index",
  "/sla": "sla",
  run: "runs.$runId",
} as const;

/** Writes the scripts and styles of those screens, without what every page loads, into the page. */
function screens(): Plugin {
  return {
    name: "screens",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const files = (name: string, into: Set<string>): Set<string> => {
          const chunk = bundle[name];
          if (chunk?.type !== "chunk" || into.has(name) || html.includes(name)) return into;
          into.add(name);
          for (const style of chunk.viteMetadata?.importedCss ?? []) if (!html.includes(style)) into.add(style);
          for (const other of chunk.imports) files(other, into);
          return into;
        };
        const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
        const found = Object.entries(AHEAD).map(([path, module]) => {
          const screen = chunks.find((chunk) =>
            chunk.facadeModuleId?.endsWith(`/routes/${module}.tsx?tsr-split=component`),
          );
          if (screen === undefined) throw new Error(`${module} is no chunk of its own`);
          return [path, [...files(screen.fileName, new Set())].map((file) => `/${file}`)];
        });
        const content = JSON.stringify(Object.fromEntries(found)).replaceAll('"', "&quot;");
        // In the page itself: as files of their own they would come as late as what they are ahead of. The API allows them by their hashes.
        const inlined = html.replace(/<script src="\/(ahead|color-scheme)\.js"><\/script>/g, (_, name: string) => {
          const { code } = minifySync(name, readFileSync(`public/${name}.js`, "utf8"));
          return `<script>${code}</script>`;
        });
        const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal-\S+\.woff2$/.test(file));
        if (font === undefined) throw new Error("the font of the pages is not in the bundle");
        // The font is asked for at once, so that text is drawn in it from the beginning.
        const preload = `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}" />`;
        const head = `${preload}\n    <meta name="screens" content="${content}" />\n    <script>`;
        return inlined.replace("<script>", () => head);
      },
    },
  };
}
