// How the page is built, served while developing, and tested. One API process answers everything under /api.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { DIGEST_FILE, sourcesDigest } from "./sources.mjs";

const backend = process.env["TAILROOM_BACKEND_URL"] ?? "http://127.0.0.1:8400";

export default defineConfig({
  plugins: [
    react(),
    { name: "sources-digest", apply: "build", closeBundle: () => writeFileSync(DIGEST_FILE, sourcesDigest()) },
  ],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { host: "127.0.0.1", proxy: { "/api": backend } },
  build: {
    target: "es2022",
    // Nothing is inlined as data: or as script, so that the page works under default-src 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What several of them use belongs to the first, so that no page loads the charts for the sake of a helper.
          groups: [
            {
              name: "react",
              priority: 3,
              test: /node_modules\/(react|react-dom|react-is|scheduler|clsx|use-sync-external-store|tiny-invariant)\//,
            },
            { name: "tanstack", priority: 2, test: /node_modules\/@tanstack/ },
            {
              name: "charts",
              priority: 1,
              test: /node_modules\/(recharts|d3-|victory-vendor|@reduxjs|redux|react-redux|immer|reselect|es-toolkit|decimal)/,
            },
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
