// From the home page to an answer: the question is in the URL, the answer follows it, and invalid fields are explained
// beside them.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test("the first page leads to the question, and the answer follows it", async ({
  page,
  homePage,
  slaPage,
  finishedRun,
}) => {
  expect(finishedRun.state).toBe("finished");
  await homePage.open();
  await page.getByRole("link", { name: "Check my SLA" }).click();
  await expect(slaPage.heading).toBeVisible();
  await expect(slaPage.answer).toContainText(/PASS|FAIL|Undecided/);
  await expect(page).toHaveURL(/[?&]run=[0-9a-f-]{36}/);
});

test("reads and window change the verdict and the address, and a reload keeps them", async ({
  page,
  slaPage,
  finishedRun,
}) => {
  await slaPage.open(`?run=${finishedRun.run_id}&objective=50`);
  await slaPage.reads.fill("2");
  await expect(page).toHaveURL(/[?&]reads=2(&|$)/);
  await expect(
    slaPage.answerTo(/^Do 50\s% of transactions finish 2 reads one after another within 1\ss\?/),
  ).toContainText("PASS");

  await slaPage.window.fill("1 us");
  await expect(page).toHaveURL(/[?&]window=1\+us(&|$)/);
  await expect(slaPage.answerTo(/within 1\sµs\?/)).toContainText("FAIL");

  await page.reload();
  await expect(slaPage.reads.button).toHaveText("2 reads");
  await expect(slaPage.window.button).toHaveText(/^1\sµs$/);
  await expect(slaPage.answer).toContainText("FAIL");

  // A link of all fields opens as it was written.
  const query = `?reads=250&fan=10&sched=pool&window=1s&reserve=400ms&objective=99.9&run=${finishedRun.run_id}&op=read&clock=response&tps=4000`;
  await slaPage.open(query);
  await expect(slaPage.fanOut.button).toHaveText("10");
  await expect(slaPage.reserve.button).toHaveText(/^400\sms$/);
  await expect(slaPage.rate).toHaveValue("4000");
  await expect(
    slaPage.answerTo(/250 reads 10 at a time within 600\sms \(1\ss less 400\sms kept for scoring\)/),
  ).toBeVisible();
  expect(new URL(page.url()).search).toBe(query);
});

test("what cannot be read is explained beside its field, stays in the address, and leaves the answer before", async ({
  page,
  slaPage,
  finishedRun,
}) => {
  await slaPage.open(`?run=${finishedRun.run_id}`);
  await expect(slaPage.answer).toBeVisible();
  await slaPage.window.fill("600");
  await expect(slaPage.sentence).toContainText("600 of what? Add the unit");
  await slaPage.window.button.click();
  await expect(slaPage.window.field).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByText("The answer below is to the question before.")).toBeVisible();
  await expect(slaPage.answer).toBeVisible();

  await page.goto(`/sla?run=${finishedRun.run_id}&reads=many&objective=100`);
  await expect(slaPage.reads.button).toHaveText("many reads");
  await expect(slaPage.sentence).toContainText("“many” is not a whole number.");
  await expectAccessible(page);
  await expect(slaPage.sentence).toContainText("No measurement can show 100 %");
  await expect(page).toHaveURL(/reads=many/);
  await slaPage.reads.fill("250");
  await slaPage.objective.fill("99.9");
  await expect(slaPage.answer).toContainText(/PASS|FAIL|Undecided/);
});

test("several at a time, overhead and a second stage are part of the question, whose picture can be read", async ({
  page,
  slaPage,
  finishedRun,
}) => {
  await slaPage.open(`?run=${finishedRun.run_id}`);
  await slaPage.schedule("in waves");
  await expect(page).toHaveURL(/sched=waves/);
  await expect(slaPage.answerTo(/250 reads in waves of 10 within/)).toBeVisible();
  await page.getByText("Add a step").click();
  await page.getByRole("button", { name: "Add a stage" }).click();
  await page.getByRole("textbox", { name: "Stage 2: how many", exact: true }).fill("5");
  await page.getByRole("textbox", { name: "Stage 2: overhead" }).fill("2 ms");
  await expect(page).toHaveURL(/also=5_read___2ms/);
  await expect(slaPage.answerTo(/250 reads in waves of 10, then 5 reads one after another/)).toBeVisible();
  await page.getByRole("button", { name: "Remove stage 2" }).click();
  await expect(page).not.toHaveURL(/also=/);

  // The picture can be read, turned to another axis, and saved.
  const reader = slaPage.picture.getByRole("slider");
  await reader.focus();
  await page.keyboard.press("Home");
  await expect(reader).toHaveAttribute("aria-valuetext", /^within .*least to most/);
  await slaPage.picture.getByText("linear", { exact: true }).click();
  await expect(page).toHaveURL(/scale=linear/);
  await slaPage.picture.getByRole("button", { name: "View as table" }).click();
  await expect(slaPage.picture.getByRole("columnheader", { name: "model_lower_ratio" })).toBeVisible();
  await slaPage.picture.getByRole("button", { name: "Download" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /^CSV/ }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

test("a run leads to the same question, a budget fills the sentence, other rules are asked about by name", async ({
  page,
  runPage,
  slaPage,
  finishedRun,
}) => {
  await runPage.open(finishedRun.run_id);
  await page.getByRole("link", { name: /^What if/ }).click();
  await expect(slaPage.heading).toBeVisible();
  expect(new URL(page.url()).searchParams.get("run")).toBe(finishedRun.run_id);
  await expect(slaPage.reserve.button).toHaveCount(0);
  await expect(slaPage.subject).toContainText(finishedRun.title);

  await slaPage.reads.fill("7");
  await expect(page).toHaveURL(/reads=7/);
  await expect(slaPage.answer).toBeVisible();
  await slaPage.startFrom("250 reads in 1 s");
  await expect(slaPage.reads.button).toHaveText("250 reads");
  await expect(slaPage.reserve.button).toHaveCount(0);
  await page.goto(`/sla?run=${finishedRun.run_id}&budget=act-limits`);
  await expect(slaPage.sentence).toHaveCount(0);
  await expect(slaPage.answer.getByRole("table")).toContainText(/over 1\sms/);
  await page.getByRole("button", { name: "Ask about a transaction instead" }).click();
  await expect(slaPage.sentence).toBeVisible();
  await expect(page).not.toHaveURL(/budget=/);
});
