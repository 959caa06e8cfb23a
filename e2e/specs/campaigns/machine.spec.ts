// An agent measures its own machine, from templates: a drive ladder reads a listed drive (a file here), synchronous
// writes go to a listed folder, and the drive is searched for the highest load. The chart of probes grows, a killed
// agent is awaited, and the result equals the API's. The objective holds at every tested load.
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { begin, completed, fillFromTemplate, PATIENCE, phaseOf, untilEnded } from "../../fixtures/campaigns.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const MIB = 1 << 20;
const DRIVE_LADDER = "Drive ladder, reads alone";

test("an agent measures the drives and folders that its machine lists", async ({
  page,
  product,
  api,
  fleet,
}, information) => {
  test.setTimeout(300_000);
  mkdirSync(information.outputPath(), { recursive: true });
  const drive = join(information.outputPath(), "drive");
  const content = randomBytes(16 * MIB);
  writeFileSync(drive, content);
  // A folder beside the agent: the temporary folder may be in memory, where no write is durable.
  const folder = mkdtempSync(join(dirname(product.agent), "sync-writes-"));
  const agents = await fleet.start(["shelf"], { drives: [drive], folders: [folder] });
  const server = page.getByRole("textbox", { name: "Server" });
  try {
    await test.step("a drive ladder: the template names what the machine lists as its server", async () => {
      const small = [
        [/loads = \[1, 2, 4\]/, "loads = [0.05, 0.1]"],
        [/ramp_s = 5/, "ramp_s = 0"],
        [/measure_s = 60/, "measure_s = 2"],
      ] as const;
      await fillFromTemplate(page, DRIVE_LADDER, small, agents);
      await expect(server).toHaveValue("drives:");
      await begin(page);
      await untilEnded(page, api);
    });

    await test.step("each load is a phase with its reads, and the drive is as it was", async () => {
      await expect(completed(page, "2 phases")).toBeVisible(PATIENCE);
      for (const [load, reads] of [
        ["0.05x", "200"],
        ["0.1x", "400"],
      ] as const) {
        const phase = phaseOf(page, load);
        const row = phase.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Read", exact: true }) });
        await expect(row).toContainText(reads, PATIENCE);
        await expect(phase).not.toContainText(/write/i);
      }
      await expectAccessible(page);
      expect(readFileSync(drive).equals(content)).toBe(true);
    });

    await test.step("synchronous writes: each size has a verdict by the budget, which leads to its run", async () => {
      const template = "Synchronous writes: fast enough for etcd, PostgreSQL?";
      await fillFromTemplate(page, template, [[/measure_s = 60/, "measure_s = 2"]], agents);
      await expect(server).toHaveValue("folders:");
      await expectAccessible(page);
      await begin(page);
      await untilEnded(page, api);
      await expect(completed(page, "2 phases")).toBeVisible(PATIENCE);
      for (const size of ["4 KiB", "8 KiB"]) {
        await expect(phaseOf(page, size)).toContainText("as fast as possible");
        // The verdict depends on this machine's drive.
        await expect(phaseOf(page, size).getByRole("link", { name: /^(pass|fail|inconclusive)/i })).toBeVisible(
          PATIENCE,
        );
      }
      await expectAccessible(page);
      expect(readdirSync(folder)).toEqual([]);
    });

    await test.step("a search: the form asks what is sought of the drive", async () => {
      await fillFromTemplate(page, DRIVE_LADDER, [], agents);
      await page.getByRole("checkbox", { name: "Find the highest load that holds" }).check();
      await page.getByRole("textbox", { name: "Objective", exact: true }).fill("p99 read < 20s");
      await page.getByRole("textbox", { name: "First load, operations a second" }).fill("100");
      await page.getByRole("textbox", { name: "Highest load, operations a second" }).fill("400");
      await page.getByRole("textbox", { name: "Seconds of a probe" }).fill("5");
      await page.getByRole("textbox", { name: "Probes after the first bracket" }).fill("2");
      await expect(page.getByRole("combobox", { name: "When an agent is lost" })).toBeDisabled();
      await expectAccessible(page);
      await begin(page);
    });

    const search = page.getByRole("region", { name: "Highest load that holds" });
    await test.step("the picture is there while probes are measured", async () => {
      await expect(page.getByRole("main")).toContainText(/Probe \d+ at .* on 1 agent\./, PATIENCE);
      await expect(search.getByRole("status")).toContainText("so far", PATIENCE);
      await expect(search.getByRole("img")).toBeVisible(PATIENCE);
    });

    await test.step("a killed agent is waited for, until a stated time", async () => {
      agents[0]?.kill();
      const waiting = new RegExp(`Waiting for ${agents[0]?.name} until .*, else`);
      await expect(page.getByRole("main")).toContainText(waiting, PATIENCE);
      await expectAccessible(page);
      agents[0]?.serve();
    });

    await test.step("at the end it says what the API has, and the drive is as it was", async () => {
      await untilEnded(page, api, 150_000);
      await expect(completed(page, "3 probes")).toBeVisible();
      await expect(search.getByRole("status")).not.toContainText("so far", PATIENCE);
      const href = await search.getByRole("link", { name: "probe 1", exact: true }).getAttribute("href");
      // Data that the killed agent had not sent can arrive after the end, and the page of an ended search is not
      // polled.
      await expect(async () => {
        await page.reload();
        await expect(search.getByRole("row").first()).toBeVisible();
        const state = await api.get<{ probes: { late_share: number | null }[]; ended: string }>(
          `/sla/load-search/${href?.split("/").pop()}`,
        );
        const counted = state.probes.filter(({ late_share }) => late_share !== null);
        expect([counted.length, state.ended]).toEqual([3, "top"]);
        await expect(search.getByRole("row")).toHaveCount(state.probes.length + 1, { timeout: 5_000 });
      }).toPass(PATIENCE);
      await expect(search.getByRole("status")).toContainText("holds at");
      await expectAccessible(page);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
      expect(readFileSync(drive).equals(content)).toBe(true);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
