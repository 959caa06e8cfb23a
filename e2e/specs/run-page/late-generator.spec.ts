// A late load generator proves no FAIL: the verdict reports it and links to the generator's figures.
import { readFileSync } from "node:fs";
import { Feeder } from "../../bench/feeder.ts";
import { prepareLateRun } from "../../fixtures/lateRun.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test("the page says what the generator did, live and in the end", async ({ page, product, api, runPage }) => {
  const run = prepareLateRun("Late in every slice");
  const feeder = new Feeder(product.url, readFileSync(`${product.home}/agent-token`, "utf8").trim());
  const [first, ...others] = run.batches;
  if (first === undefined) throw new Error("a run without batches");

  await test.step("while it is live: what is under way is not counted yet", async () => {
    await feeder.announce(run);
    await feeder.send(run, first);
    await runPage.open(run.runId);
    await expect(runPage.load).toContainText(/12\sreads, the oldest for 3\.10\ss: not counted yet/);
    await expect(runPage.load).toContainText(/2\.00k of 2\.00k\sops\/s intended/);
  });

  await test.step("in the end: its verdict is open, and leads to the section", async () => {
    for (const batch of others) await feeder.send(run, batch);
    await feeder.finish(run);
    await api.judged(run.runId);
    const open = runPage.cards.filter({ hasText: "load generator unreliable" });
    await expect(open).toContainText("Undecided: load generator unreliable");
    await open.getByRole("link", { name: "Was the load applied?" }).click();
    await expect(runPage.load).toBeInViewport();
    await expect(runPage.load).toContainText("6 of 6: 6 late");
    await expect(runPage.load).toContainText(/480\sµs in the worst slice, allowed 100\sµs/);
    await expect(runPage.load).not.toContainText("Under way");
    await expectAccessible(page);
  });

  await test.step("its pictures can be read with the keyboard and as tables", async () => {
    const lateness = runPage.chart(/^Read: lateness of the generator/);
    await lateness.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await expect(lateness.getByRole("slider")).toHaveAttribute(
      "aria-valuetext",
      /480\sµs, beyond what is allowed late/,
    );
    await lateness.getByRole("button", { name: "View as table" }).click();
    await expect(lateness.getByRole("columnheader", { name: "lateness_p99_ns" })).toBeVisible();
    await expect(runPage.chart(/^Temperature of the drive/)).toBeVisible();
  });
});
