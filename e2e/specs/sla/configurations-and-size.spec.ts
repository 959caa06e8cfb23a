// All configurations judged by the question, and the number of nodes required.
import { expect, test } from "../../fixtures/test.ts";

test("what meets the question stands in groups, can be exported, and can be asked about", async ({
  page,
  slaPage,
  measuredRun,
}) => {
  await slaPage.open("?reads=2&objective=50");
  const row = slaPage.configuration(measuredRun.title).first();
  // On a busy machine, configurations are judged over several responses, and the list grows with each.
  await expect(async () => {
    await slaPage.showAllConfigurations();
    await expect(row).toContainText(/PASS|FAIL|Undecided/, { timeout: 5_000 });
  }).toPass();
  await expect(row.getByRole("link", { name: measuredRun.title })).toHaveAttribute(
    "href",
    new RegExp(`^/runs/${measuredRun.run_id}`),
  );
  await expect(slaPage.configurations.getByRole("heading", { level: 3 }).first()).toContainText(
    /Proven|In their run or test|Too slow|Undecided/,
  );

  await page
    .getByRole("button", { name: `Ask about it: ${measuredRun.title}` })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`run=${measuredRun.run_id}`));
  await expect(slaPage.subject).toContainText(measuredRun.title);

  const download = page.waitForEvent("download");
  await slaPage.configurations.getByRole("button", { name: "CSV" }).click();
  expect((await download).suggestedFilename()).toBe("what-meets-it.csv");
});

test("the number of nodes follows the rate, with its arithmetic and assumption, or says why there is none", async ({
  page,
  slaPage,
  measuredRun,
}) => {
  await slaPage.open(`?run=${measuredRun.run_id}&reads=2&objective=50`);
  await slaPage.rate.fill("8,000");
  await expect(page).toHaveURL(/tps=8%2C000/);
  const answer = slaPage.sizing.getByRole("status");
  await expect(answer).toContainText(/\d+ nodes?/);
  await expect(slaPage.sizing).toContainText(/8,?000/);
  await expect(slaPage.sizing).toContainText(/Assumes:.*linear scaling/);

  await slaPage.rate.fill("a lot");
  await expect(slaPage.sizing).toContainText("“a lot” is not a number.");

  await slaPage.rate.fill("8,000");
  await slaPage.window.fill("1 us");
  await expect(answer).toHaveCount(0);
  await expect(slaPage.sizing).toContainText("No number of nodes");
});
