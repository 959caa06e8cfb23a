// A stored price adds a cost per load to the leaderboard, the drive page and the SLA page, until it is removed.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test.use({ expectedErrors: /status of 422/ });

test("a price by form, a broken list, the cost on the drives, and its end", async ({ page }) => {
  await page.goto("/prices");
  await page.getByRole("combobox", { name: "Drive or instance", exact: true }).fill("Huawei ES3600P V5");
  await page.getByRole("textbox", { name: "Capacity" }).fill("3.2 TB");
  await page.getByRole("textbox", { name: "Price" }).fill("640");
  await page.getByRole("textbox", { name: "Power in watts" }).fill("12.8");
  await page.getByRole("textbox", { name: "Source" }).fill("offer 12");
  await page.getByRole("button", { name: "Store the price" }).click();
  const row = page.getByRole("row").filter({ hasText: /ES3600P V5 3\.2\sTB/i });
  const published = page
    .getByRole("table", { name: "Published prices, as a table" })
    .getByRole("row")
    .filter({ hasText: "Amazon r5d.24xlarge" });
  await expect(published.first()).toContainText(/6\.912\sUSD\/hour.*16 Jul 2026.*Cloudspecs.*yes/s);
  await expect(published.last()).toContainText(/6\.905–6\.915\sUSD\/hour.*price of 2021/s);
  await expect(row).toContainText("640 EUR");
  await expect(row).toContainText("offer 12");
  await expectAccessible(page);

  await page.getByLabel("Price list as a CSV file").setInputFiles({
    name: "prices.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("drive,capacity,price,currency,date,source\nNobody 1,1 TB,5,EUR,2026-11-01,x\n"),
  });
  await expect(page.getByRole("alert")).toContainText("the catalogue has no drive “Nobody 1”");

  await page.getByRole("main").getByRole("link", { name: "the drives", exact: true }).click();
  await expect(page.getByRole("columnheader", { name: "For 1,000/s" }).first()).toBeVisible();
  await expect(row.first().getByTitle(/640\sEUR/)).toHaveText(/1\.67\sEUR/);
  await page
    .getByRole("main")
    .getByRole("link", { name: /ES3600P V5/i })
    .first()
    .click();
  await expect(page.getByRole("region", { name: "Which load does it hold?" })).toContainText(/EUR per kTPS/);

  // Ten reads per transaction at 128x, the highest load, give 25,600 transactions a second.
  await page.goto("/prices");
  await page.getByRole("link", { name: /^what 10 reads .* costs on each drive$/ }).click();
  await expect(
    page.getByRole("heading", { name: /ES3600P V5 3\.2\sTB needs the least money .* for 1,000 transactions\/s/i }),
  ).toBeVisible();
  const costs = page.getByRole("group", { name: "Cost and power by drive" });
  await expect(costs.getByRole("row", { name: /ES3600P V5/i })).toContainText(/128x.*25\sEUR.*0\.500/s);

  // Each configuration that passes has the same cost. Rented configurations have a cost per transaction.
  await page.goto("/sla?reads=10&window=1s&reserve=300ms&objective=99.9&claims=drives");
  const records = page.getByRole("region", { name: "What meets it?" });
  await expect(records.getByRole("row").filter({ hasText: "Huawei ES3600P V5 3.2 TB · ACT 128x" })).toContainText(
    "25\u00a0EUR for 1,000/s",
  );
  const rented = records.getByRole("button", { name: /USD per million: price of Amazon r5d\.24xlarge/ }).first();
  await rented.click();
  const price = page.getByRole("dialog", { name: /^Price of Amazon r5d\.24xlarge/ });
  await expect(price).toContainText(/6\.912\sUSD\/hour.*16 Jul 2026.*Cloudspecs/s);
  await expectAccessible(page);

  await page.goto("/prices");
  await page.getByRole("button", { name: /^Remove .*ES3600P V5 3\.2\sTB/i }).click();
  await page.getByRole("button", { name: "Remove the price" }).click();
  await expect(row).toBeHidden();

  // An own price per hour for all capacities takes precedence over the document's price.
  await page.getByRole("combobox", { name: "Drive or instance", exact: true }).fill("amazon-r5d-24xlarge");
  await page.getByRole("combobox", { name: "Paid" }).selectOption("per hour");
  await page.getByRole("textbox", { name: "Price" }).fill("3.10");
  await page.getByRole("textbox", { name: "Currency" }).fill("USD");
  await page.getByRole("textbox", { name: "Source" }).fill("reserved for a year");
  await page.getByRole("button", { name: "Store the price" }).click();
  const mine = page.getByRole("table", { name: "My prices, as a table" }).getByRole("row").nth(1);
  await expect(mine).toContainText(/Amazon r5d\.24xlarge.*3\.10\sUSD\/hour.*reserved for a year/s);
  await expect(published.first()).toContainText("no, my price is used");
  await page.goto("/sla?reads=10&window=1s&reserve=300ms&objective=99.9&claims=drives");
  await rented.click();
  await expect(price).toContainText(/3\.10\sUSD\/hour.*reserved for a year/s);
  await page.goto("/prices");
  await page.getByRole("button", { name: /^Remove Amazon r5d/ }).click();
  await page.getByRole("button", { name: "Remove the price" }).click();
  await expect(published.first()).not.toContainText("no, my price is used");
});
