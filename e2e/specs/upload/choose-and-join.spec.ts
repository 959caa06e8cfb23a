// Reading options chosen before the upload: one route of a Prometheus page, and two clients of one test.
import { readFileSync } from "node:fs";
import { Desk, sample } from "../../fixtures/samples.ts";
import { expect, test } from "../../fixtures/test.ts";

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

test("one route of a Prometheus page is chosen, and its requests are what the run counts", async ({
  page,
  uploadPage,
}) => {
  const name = `page-${crypto.randomUUID().slice(0, 8)}.txt`;
  const text = readFileSync(sample("prometheus/page.txt"), "utf8");
  await uploadPage.open();
  await page.getByText("How files are read").click();
  await page.getByLabel("Metric").fill("http_server_duration");
  await page.getByLabel("Labels").fill('route="/pay"');
  await uploadPage.choose(desk.write(name, `# ${name}\n${text}`));
  await expect(uploadPage.file(name)).toContainText("Prometheus");
  await expect(page.getByRole("row", { name: /http_server_duration_seconds/ }).first()).toContainText("3,000");
  await expect(page.getByText("6,000")).toHaveCount(0);
});

test("the files of two clients become one run", async ({ page, uploadPage }) => {
  const text = readFileSync(sample("ycsb/y1.stdout.txt"), "utf8");
  const [first, second] = [`a-${crypto.randomUUID().slice(0, 8)}.txt`, `b-${crypto.randomUUID().slice(0, 8)}.txt`];
  await uploadPage.open();
  await page.getByText("How files are read").click();
  await page.getByRole("checkbox", { name: "Files sent together are the clients of one test" }).check();
  await uploadPage.choose([first, second].map((name) => desk.write(name, `${text}\n# ${name}\n`)));
  await expect(uploadPage.file(second)).toContainText(`Read with ${first}`);
  await expect(page.getByRole("heading", { name: "The run that was read" })).toBeVisible();
});
