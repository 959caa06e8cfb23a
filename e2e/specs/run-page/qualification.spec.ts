// The real agent qualifies a drive; each of its runs links to the report of the suite, on screen and in print.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { poll } from "../../fixtures/poll.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const SIZE_BYTES = 64 * 1024 * 1024;

interface Report {
  suite: { id: string; measured: { run_id: string }[] };
}

interface SuiteState {
  is_complete: boolean | null;
  unfinished: number;
  steps: { plots: { title: string }[] }[];
}

test("a load of a qualification leads to its report, whose plots say what they show", async ({
  page,
  product,
  api,
}) => {
  test.setTimeout(120_000);
  const folder = mkdtempSync(join(product.scratch, "qualify-"));
  const image = openSync(join(folder, "drive.img"), "w");
  ftruncateSync(image, SIZE_BYTES);
  closeSync(image);
  const made = spawnSync("losetup", ["--find", "--show", join(folder, "drive.img")], { encoding: "utf8" });
  test.skip(made.status !== 0, "no loop devices here");
  const device = made.stdout.trim();
  const report = join(folder, "report.json");
  try {
    const name = `${basename(device)}:${SIZE_BYTES}`;
    writeFileSync(join(folder, "allowed"), name, { mode: 0o600 });
    const agent = spawn(
      product.agent,
      [
        ...["qualify", "--device", device, "--confirm-serial", name, "--allow-list", join(folder, "allowed")],
        ...["--state", join(folder, "state.json"), "--spool", join(folder, "spool"), "--report", report],
        ...["--step", "throughput", "--round-s", "1", "--quiet"],
      ],
      { env: product.agentEnvironment(), stdio: ["ignore", "ignore", "pipe"] },
    );
    const errors: string[] = [];
    agent.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
    const code = await new Promise((resolve) => agent.once("close", resolve));
    expect(code, errors.join("")).toBe(0);
  } finally {
    spawnSync("losetup", ["--detach", device]);
  }
  const { suite } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const shown = await poll(
    async () => {
      const state = await api.get<SuiteState>(`/qualifications/${suite.id}`);
      return state.is_complete === true && state.unfinished === 0 ? state : null;
    },
    { within_ms: 60_000, what: "every load is added up" },
  );

  await page.goto("/qualifications");
  const listed = page.getByRole("table").getByRole("row").filter({ hasText: device });
  await expect(listed.first()).toContainText("throughput");
  await expect(page.locator(`a[href="/qualifications/${suite.id}"]`)).toBeVisible();

  await page.goto(`/runs/${suite.measured[0]?.run_id}`);
  await page.getByRole("link", { name: "qualification of the drive" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "4 loads were measured without proof of a steady state",
  );
  await expect(page.getByRole("figure", { name: shown.steps[0]?.plots[0]?.title ?? "" })).toBeVisible();
  await expect(page.getByRole("table").getByRole("rowheader")).toHaveText([
    "1 MiB, sequential reads, 32 under way",
    "1 MiB, sequential writes, 32 under way",
    "128 KiB, sequential reads, 32 under way",
    "128 KiB, sequential writes, 32 under way",
  ]);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Report" }).click();
  await expect(page.getByRole("heading", { name: "Throughput test" })).toBeVisible();
});
