// A fraud ladder and a YCSB suite as campaigns of two agents on a real Valkey: started from templates with small
// numbers and fewer phases, checked by phase, repeated and compared. Latencies are not asserted.
import { begin, completed, fillFromTemplate, PATIENCE, phaseOf, untilEnded } from "../../fixtures/campaigns.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

/** Two of the five phases that a factor makes, of the sizes that a factor of 0.0004 gives them. */
const PHASES = `measure_s = 2
[[fraud.phases]]
name = "P2"
reads_per_s = 400
[[fraud.phases]]
name = "P4"
reads_per_s = 800
`;

test("a fraud ladder and a suite of YCSB: each phase with its own result, compared with the last time", async ({
  page,
  api,
  fleet,
  valkey,
}) => {
  test.setTimeout(300_000);
  const agents = await fleet.start(["east", "west"], { targets: [valkey.url] });

  await test.step("a fraud ladder shows for each phase what was asked, what was achieved, and its verdict", async () => {
    const small = [
      [/factor = [0-9.]+.*\n/, ""],
      [/reads_per_transaction = 250/, "reads_per_transaction = 20"],
      [/objects = [0-9_]+/, "objects = 2000"],
      [/connections = 64/, "connections = 8"],
      [/warm_up_s = 60/, "warm_up_s = 1"],
      [/ramp_s = 10/, "ramp_s = 0"],
      [/measure_s = 120\n/, PHASES],
    ] as const;
    await fillFromTemplate(page, "Fraud ladder", small, agents);
    await page.getByRole("textbox", { name: "Server" }).fill(valkey.url);
    await page.getByRole("combobox", { name: "Objectives" }).fill("p99 read < 50ms");
    await page.getByRole("combobox", { name: "Objectives" }).press("Enter");
    await begin(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fraud ladder");
    await untilEnded(page, api);
    await expect(completed(page, "2 phases")).toBeVisible(PATIENCE);
    for (const name of ["P2", "P4"]) {
      const rows = phaseOf(page, name);
      await expect(rows.getByRole("link", { name: /^(PASS|FAIL|Undecided).* of P\d$/ }).first()).toBeVisible(PATIENCE);
      await expect(rows).toContainText("2 of 2");
      await expect(rows.getByRole("listitem").filter({ hasText: "p99 of read < 50\u00a0ms" })).toHaveText(
        /^(PASS|FAIL)/,
        PATIENCE,
      );
      await expect(rows).toContainText(/begun within/);
      await expect(rows.getByRole("rowheader", { name: "Transaction" })).toBeVisible();
    }
    // 800 reads a second in transactions of 20, for 2 s, over both agents. The warm-up contains no user requests.
    const [transactions, reads] = [phaseOf(page, "P4").locator("tr").first(), phaseOf(page, "P4").locator("tr").nth(1)];
    await expect(transactions).toContainText("40\u00a0ops/s");
    await expect(transactions).toContainText("100\u00a0% of it");
    await expect(transactions).toContainText("80");
    await expect(reads).toContainText("1,600");
    await expect(phaseOf(page, "warm-up")).toContainText("not requests of users");
    await expectAccessible(page);
  });

  await test.step("it is repeated, and each phase is set against the last time", async () => {
    const first = page.url();
    await page.getByRole("button", { name: "Repeat" }).click();
    await expect(page).not.toHaveURL(first);
    await untilEnded(page, api);
    await expect(page.getByRole("heading", { name: "Compared with the last time" })).toBeVisible(PATIENCE);
    await expect(completed(page, "2 phases")).toBeVisible(PATIENCE);
    await expect(phaseOf(page, "P2")).toContainText("p99 of read < 50\u00a0ms", PATIENCE);
    await page.getByRole("link", { name: "Compare P2 with the last time" }).click(PATIENCE);
    await expect(page).toHaveURL(/\/compare/);
  });

  await test.step("a suite of YCSB has a phase for each of its workloads", async () => {
    // One workload of a single operation, one that changes what it has read, and one that inserts.
    const small = [
      [/workloads=A,B,C,F,D/, "workloads=C,F,D"],
      [/recordcount=\d+/, "recordcount=1000"],
      [/operationcount=\d+/, "operationcount=750"],
      [/threadcount=\d+/, "threadcount=8"],
      [/target=\d+/, "target=500"],
    ] as const;
    await fillFromTemplate(page, "YCSB suite: A, B, C, F and D", small, agents);
    await page.getByRole("textbox", { name: "Server" }).fill(valkey.url);
    await begin(page);
    await untilEnded(page, api);
    await expect(completed(page, "3 phases")).toBeVisible(PATIENCE);
    for (const name of ["C", "F", "D"]) {
      await expect(phaseOf(page, name)).toContainText(/of it/, PATIENCE);
      await expect(phaseOf(page, name).getByRole("link", { name: `set your own for ${name}` })).toBeVisible(PATIENCE);
    }
    await expect(phaseOf(page, "C").locator("tr")).toHaveCount(1);
    await expect(phaseOf(page, "C")).toContainText("100\u00a0% of it");
    await expect(phaseOf(page, "C")).toContainText("750");
    await expect(phaseOf(page, "F").getByRole("rowheader", { name: "Read modify write" })).toBeVisible();
    await expect(phaseOf(page, "D").getByRole("rowheader", { name: "Insert" })).toBeVisible();
    await expectAccessible(page);
    await phaseOf(page, "F").getByRole("link").first().click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("F");
  });
});
