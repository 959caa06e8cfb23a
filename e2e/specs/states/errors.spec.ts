// Pages without data: they report what happened and what to do next.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test.use({ expectedErrors: /Failed to load resource/ });

const nonsense = [
  { path: "/runs/nonsense", title: "There is no such run" },
  { path: "/qualifications/nonsense", title: "There is no such qualification" },
  { path: "/campaigns/nonsense", title: "There is no such campaign" },
  { path: "/drives/nonsense", title: "There is no such drive" },
  { path: "/publications/nonsense", title: "There is no such publication" },
  { path: "/upload?upload=nonsense", title: "There is no such upload" },
  { path: "/sla?run=nonsense", title: "There is no such run" },
  { path: "/sla?budget=nonsense", title: "There is no such budget" },
  { path: "/compare?of=run:nonsense", title: "Part of this address can be no subject" },
  { path: "/compare?template=chain&chain=nonsense", title: "There are no such linked runs" },
] as const;

test("an address with a broken id leads on, and the API is not asked what it can only refuse", async ({
  page,
  runListPage,
  finishedRun: _,
}) => {
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 422) refused.push(response.url());
  });
  for (const { path, title } of nonsense) {
    await page.goto(path);
    await expect(page.getByText(title).first(), path).toBeVisible();
    await expect(page.getByText("documented form"), path).toHaveCount(0);
  }
  expect(refused).toEqual([]);
  for (const [path, link] of [
    ["/runs/nonsense", "Show runs"],
    ["/no/such/page", "Runs"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("main").getByRole("link", { name: link }).click();
    await expect(runListPage.heading).toBeVisible();
  }
});

test("an API that cannot answer is named, and asking again works", async ({ page, runListPage, finishedRun }) => {
  const requests = "**/api/v1/runs?*";
  await page.route(requests, (route) => route.abort("connectionrefused"));
  await runListPage.open();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page);
  await page.unroute(requests);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(runListPage.run(finishedRun.title)).toBeVisible();
});
