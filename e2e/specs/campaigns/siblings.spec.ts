// Eight agents of one campaign measure the same server: the campaign page judges each against the others, and exports
// all as CSV.
import { readFileSync } from "node:fs";
import { begin, completed, untilEnded } from "../../fixtures/campaigns.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

/** Least number of units that are judged. */
const UNITS = 8;
const plan = `workload = "keyvalue"
[keyvalue]
ratio = "1:4"
key_maximum = 999
object_bytes = 100
connections = 16
rate_per_s = 1600
ramp_s = 0
measure_s = 4
`;

test("units of a campaign are judged against their siblings", async ({ page, api, fleet, valkey }) => {
  test.setTimeout(240_000);
  const units = Array.from({ length: UNITS }, (_, unit) => `unit ${unit}`);
  const names = (await fleet.start(units, { targets: [valkey.url] })).map(({ name }) => name);

  await test.step("a campaign measures on all of them", async () => {
    await page.goto("/campaigns");
    await page.getByRole("textbox", { name: "Server" }).fill(valkey.url);
    await page.getByRole("textbox", { name: "Plan" }).fill(plan);
    for (const name of names) await page.getByRole("checkbox", { name }).check();
    await begin(page);
    await untilEnded(page, api);
    await expect(completed(page, "1 phase")).toBeVisible();
  });

  const section = page.getByRole("region", { name: "Unlike its siblings" });
  await test.step("each unit is judged, and the answer stands first", async () => {
    await expect(section).toBeVisible({ timeout: 60_000 });
    await expect(section.locator("strong").first()).toHaveText(/\.$/);
    await expect(section).toContainText("the chance that any unit of an even fleet is named is");
    // Outliers are shown at once. If all units are outliers, there is no button for the rest.
    const all = section.getByRole("button", { name: `All ${UNITS} units` });
    if (await all.isVisible()) await all.click();
    await expect(section.locator("tbody").getByRole("row")).toHaveCount(UNITS);
    for (const name of names) await expect(section.getByRole("link", { name })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("the same leaves the page as CSV", async () => {
    const waited = page.waitForEvent("download");
    await section.getByRole("link", { name: "All units as CSV" }).click();
    const lines = readFileSync(await (await waited).path(), "utf8")
      .trim()
      .split(/\r?\n/);
    expect(lines).toHaveLength(UNITS + 1);
    for (const name of names) expect(lines.filter((line) => line.includes(name))).toHaveLength(1);
  });
});
