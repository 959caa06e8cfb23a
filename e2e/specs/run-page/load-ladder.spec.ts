// A load ladder climbs while its page is open: every load is a run with its own verdict, and each page shows all loads.
// Only agreement of page, list and API is asserted, not the verdicts.
import { AgentRun } from "../../fixtures/agent.ts";
import type { LadderState } from "../../fixtures/api.ts";
import { poll } from "../../fixtures/poll.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const words = { raise: "", hold: "hold ", stress: "stress " } as const;

test("a ladder is seen climbing, and each load with its verdict", async ({
  page,
  product,
  api,
  runPage,
  runListPage,
}) => {
  test.setTimeout(180_000);
  const title = `Ladder ${crypto.randomUUID().slice(0, 8)}`;
  const agent = new AgentRun(product, { title, duration_s: 4, top: 2 });
  const first = await agent.runId;
  // The agent prints a run's id when it starts, even before the API has the announcement.
  await poll(() => api.run(first), { within_ms: 60_000, what: "the run is announced" });

  await test.step("new steps appear on an open page", async () => {
    await runPage.open(first);
    await expect(runPage.ladder).toContainText("climbing");
    await expect(runPage.ladderSteps.first()).toHaveAttribute("aria-current", "page");
    const before = await runPage.ladderSteps.count();
    await expect.poll(() => runPage.ladderSteps.count(), { timeout: 60_000 }).toBeGreaterThan(before);
    expect(await agent.ended, agent.complaint).toBe(0);
  });

  const ladder = await test.step("the API has every load with the verdict of its run", async () => {
    const found = await poll(
      async () => {
        const now = await api.ladder(first);
        return now.may_change ? null : now;
      },
      { within_ms: 60_000, what: "the ladder is judged" },
    );
    expect(found.steps.map((step) => step.run_id)).toEqual(agent.runIds);
    expect(found.steps.map((step) => step.kind)).toEqual(["raise", "raise", "hold", "stress"]);
    for (const step of found.steps) {
      const run = await api.run(step.run_id);
      const own = run.verdicts.find((verdict) => verdict.budget.name === found.budget_name);
      expect(step.verdict).toBe(own?.verdict);
      expect(step.provisional).toBe(false);
    }
    return found;
  });

  await test.step("the page, without being loaded again, says the same", async () => {
    await expect(runPage.ladderSteps).toHaveCount(ladder.steps.length);
    for (const [position, name] of names(ladder).entries()) {
      await expect(runPage.ladderSteps.nth(position)).toHaveAccessibleName(name);
    }
    await expect(runPage.ladder.getByRole("status")).toContainText(proof(ladder));
    await expect(runPage.ladder).toContainText(`this is step 1 of ${ladder.steps.length}`);
    await expectAccessible(page);
  });

  await test.step("every step leads to its run, with the keyboard too", async () => {
    const last = runPage.ladderSteps.last();
    await last.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(String(ladder.steps.at(-1)?.run_id)));
    await expect(last).toHaveAttribute("aria-current", "page");
    await expect(runPage.title).toContainText("stress");
    await expect(runPage.cards.first()).toContainText(String(ladder.steps.at(-1)?.verdict));
  });

  await test.step("the list marks the steps, and finds them by their title", async () => {
    await runListPage.open(`?q=${encodeURIComponent(title)}`);
    await expect(runListPage.count).toHaveText(`${ladder.steps.length} runs match`);
    await expect(runListPage.row(`${title} · ladder 3: hold ${ladder.steps[2]?.load_multiple}x`)).toContainText(
      `ladder 3 of ${ladder.steps.length}`,
    );
    await expectAccessible(page);
  });

  await test.step("on a phone the current step is in sight and the page is no wider", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await runPage.open(String(ladder.steps.at(-1)?.run_id));
    await expect(runPage.ladderSteps.last()).toBeInViewport({ ratio: 0.9 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});

test("a run of one load shows no ladder", async ({ runPage, finishedRun }) => {
  await runPage.open(finishedRun.run_id);
  await expect(runPage.cards.first()).toBeVisible();
  await expect(runPage.ladder).toHaveCount(0);
});

/** Returns the link name of each step: load, kind and verdict. */
function names(ladder: LadderState): RegExp[] {
  return ladder.steps.map((step) => new RegExp(`^${words[step.kind]}${step.load_multiple}x ${step.verdict}\\b`));
}

/** Returns patterns for the loads that the sentence above the steps must name. */
function proof({ kept_load_multiple: kept, broken_load_multiple: broken }: LadderState): RegExp {
  const keeps = kept === null ? "No load" : `limits were kept (up to|at) ${kept}x`;
  return new RegExp(broken === null ? keeps : `${keeps}.*at ${broken}x`);
}
