// Vite and Vitest configuration. The development server forwards /api to one API process.
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
    // Generates src/routeTree.gen.ts from src/routes, and splits each route's component into its own chunk.
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routeFileIgnorePattern: "\\.test\\.|useView",
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
    // No data: URLs, so that the page works under the policy default-src 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files: on a first visit, one more request costs as much as ten more kilobytes.
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
    // Files share a document, as creating one takes a third of a second. Each test cleans it up (src/test/setup.ts).
    isolate: false,
    unstubGlobals: true,
    // A busy machine is slow; tests that wait for a condition end as soon as it holds.
    testTimeout: 20_000,
    restoreMocks: true,
  },
});

/** Routes whose files public/ahead.js preloads while the first scripts load, by path. */
const AHEAD = {
  "/": "index",
  "/drives": "drives.index",
  "/runs": "runs.index",
  "/sla": "sla",
  run: "runs.$runId",
} as const;

/** Embeds the scripts and styles of those routes in the HTML, except for files that every page loads. */
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
        // Inlined: as separate files, these scripts would arrive too late to preload anything. The API's policy allows
        // them by hash.
        const inlined = html.replace(/<script src="\/(ahead|color-scheme)\.js"><\/script>/g, (_, name: string) => {
          const { code } = minifySync(name, readFileSync(`public/${name}.js`, "utf8"));
          return `<script>${code}</script>`;
        });
        const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal-\S+\.woff2$/.test(file));
        if (font === undefined) throw new Error("the font of the pages is not in the bundle");
        // Preloads the font, so that the first text is already drawn in it.
        const preload = `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}" />`;
        const head = `${preload}\n    <meta name="screens" content="${content}" />\n    <script>`;
        return inlined.replace("<script>", () => head);
      },
    },
  };
}
