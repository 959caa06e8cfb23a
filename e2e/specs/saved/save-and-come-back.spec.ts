// Items saved without an account stay in the browser. An account adopts them, and other browsers then show them too.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import { mailedLink, PASSWORD, PeoplePages } from "../../pages/PeoplePages.ts";

test("a question, a shortlist, a drive and a run are saved, and an account takes them over", async ({
  page,
  product,
  browser,
  drivesPage,
  runPage,
  finishedRun,
}) => {
  test.slow();
  const list = page.getByRole("dialog", { name: "Saved" });
  const open = () => page.getByRole("button", { name: "Saved", exact: true }).first().click();
  const save = (name: string | RegExp) => page.getByRole("main").getByRole("button", { name }).click();

  await test.step("nothing is saved at first", async () => {
    await drivesPage.openGroups();
    await open();
    await expect(list).toContainText("Nothing is saved yet");
    await page.keyboard.press("Escape");
  });

  await test.step("four things are saved where they stand", async () => {
    await drivesPage.pick("SmartIOPS DataEngine").check();
    await drivesPage.pick("Samsung PM983").check();
    await save("Save the shortlist");
    await page.goto("/drives/intel-dc-s3700");
    await save("Save");
    await runPage.open(finishedRun.run_id);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Save" }).click();
    await page.goto(`/sla?reads=4&window=1s&run=${finishedRun.run_id}`);
    await save("Save the question");
    await expect(page.getByRole("button", { name: "Saved the question" })).toHaveAttribute("aria-pressed", "true");
  });

  const names = [
    "SmartIOPS DataEngine, Samsung PM983",
    "Intel DC S3700",
    finishedRun.title,
    /^4 reads one after/,
  ] as const;
  await test.step("they outlive the page, stand on the first page, and lead back", async () => {
    await page.goto("/");
    const saved = page.getByRole("region", { name: "Saved" });
    for (const name of names) await expect(saved.getByRole("link", { name })).toBeVisible();
    await expect(saved).toContainText("In this browser alone.");
    await open();
    await expectAccessible(page);
    await list.getByRole("link", { name: names[0] }).click();
    await expect(drivesPage.compare.getByRole("table")).toContainText("PM983");
    await open();
    await list.getByRole("link", { name: names[3] }).click();
    await expect(page).toHaveURL(/\/sla\?.*reads=4/);
    await expect(list).toBeHidden();
  });

  await test.step("an account takes them over, and the browser keeps none", async () => {
    const people = new PeoplePages(page);
    const email = `keeper-${crypto.randomUUID().slice(0, 8)}@people.example`;
    await people.signUp(product.url, email, "Keepers");
    await people.choosePassword(await mailedLink(product, email, /Finish signing up/), "Kay");
    await page.goto("/glossary");
    await open();
    for (const name of names.slice(0, 2)) await expect(list.getByRole("link", { name })).toBeVisible();
    await expect(list).toContainText("In your account.");
    expect(await page.evaluate(() => window.localStorage.getItem("tailroom.saved"))).toBe("");
    await list.getByRole("button", { name: "Remove Intel DC S3700" }).click();
    await expect(list.getByRole("link", { name: "Intel DC S3700" })).toBeHidden();

    const other = await browser.newContext({ baseURL: product.url });
    await other.request.post("/api/v1/session/person", { data: { email, password: PASSWORD } });
    const elsewhere = await other.newPage();
    await elsewhere.goto("/");
    await expect(elsewhere.getByRole("region", { name: "Saved" }).getByRole("listitem")).toHaveCount(3);
    await other.close();
  });
});
