// One click relaxes a question that a run does not pass to a question that it passes.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test("one click asks less, and the run passes", async ({ page, slaPage, finishedRun }) => {
  await slaPage.open(`?run=${finishedRun.run_id}&reads=2&window=200us&objective=50`);
  await expect(slaPage.answer).toContainText("FAIL");
  const offers = page.getByRole("region", { name: "What would pass" });
  const offer = offers.getByRole("button", { name: /^It passes with / }).first();
  await expect(offer).toBeVisible();
  await expectAccessible(page);
  await offer.click();
  await expect(slaPage.answer).toContainText("PASS");
  await expect(slaPage.window.button).not.toHaveText("200us");
  await expect(offers).toBeHidden();
});
