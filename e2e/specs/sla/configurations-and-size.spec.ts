// Every stored configuration against the question, and how many nodes it takes.
import { expect, test } from "../../fixtures/test.ts";

test("each configuration says why, can be sorted, filtered, and taken as subject", async ({
  page,
  slaPage,
  measuredRun,
}) => {
  await slaPage.open();
  const row = slaPage.configuration(measuredRun.title).first();
  await expect(row).toContainText(/PASS|FAIL|INDETERMINATE/);
  await expect(row.getByRole("link", { name: measuredRun.title })).toHaveAttribute(
    "href",
    `/runs/${measuredRun.run_id}`,
  );

  await slaPage.configurations.getByRole("button", { name: "Configuration" }).click();
  await expect(page).toHaveURL(/sort=name/);
  await expect(slaPage.configurations.getByRole("columnheader", { name: "Configuration" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await slaPage.configurations.getByText(/^cannot be judged/).click();
  await expect(page).toHaveURL(/show=undecided/);
  await slaPage.configurations.getByText(/^all \(/).click();

  await page
    .getByRole("button", { name: `Use as subject: ${measuredRun.title}` })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`run=${measuredRun.run_id}`));
  await expect(slaPage.answer).toContainText(measuredRun.title);

  const download = page.waitForEvent("download");
  await slaPage.configurations.getByRole("button", { name: "CSV" }).click();
  expect((await download).suggestedFilename()).toBe("configurations.csv");
});

test("the number of nodes follows the rate, with its arithmetic and assumption, or says why there is none", async ({
  page,
  slaPage,
  measuredRun,
}) => {
  await slaPage.open(`?run=${measuredRun.run_id}&reserve=0&reads=2&objective=50`);
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
  await expect(answer).toContainText("No number can be given");
});
