// Does it meet my SLA? The question as a sentence of fields, what it is judged on, the answer, the configurations, the size.
import { expect, type Locator, type Page } from "@playwright/test";

export class SlaPage {
  readonly heading: Locator;
  readonly sentence: Locator;
  readonly reads: Locator;
  readonly window: Locator;
  readonly reserve: Locator;
  readonly objective: Locator;
  readonly fanOut: Locator;
  readonly run: Locator;
  readonly answer: Locator;
  readonly picture: Locator;
  readonly pasted: Locator;
  readonly configurations: Locator;
  readonly sizing: Locator;
  readonly rate: Locator;

  constructor(private readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Does it meet my SLA?" });
    this.sentence = page.getByRole("region", { name: "My transaction" });
    this.reads = page.getByRole("textbox", { name: "How many reads", exact: true });
    this.window = page.getByRole("textbox", { name: "Window", exact: true });
    this.reserve = page.getByRole("textbox", { name: "Time kept for scoring", exact: true });
    this.objective = page.getByRole("textbox", { name: "Objective, per cent of transactions", exact: true });
    this.fanOut = page.getByRole("textbox", { name: "How many at a time", exact: true });
    this.run = page.getByRole("combobox", { name: "Run", exact: true });
    this.answer = page.getByRole("article");
    this.picture = page.getByRole("figure", { name: /^Time of a transaction/ });
    this.pasted = page.getByRole("textbox", { name: "Distribution as JSON" });
    this.configurations = page.getByRole("region", { name: "Which configurations meet it" });
    this.sizing = page.getByRole("region", { name: "How many nodes it takes" });
    this.rate = page.getByRole("textbox", { name: "Transactions per second", exact: true });
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/sla${query}`);
  }

  slider(field: string): Locator {
    return this.page.getByRole("slider", { name: `${field}, slider`, exact: true });
  }

  async schedule(choice: string): Promise<void> {
    await this.page.getByRole("combobox", { name: "Scheduling", exact: true }).click();
    await this.page.getByRole("option", { name: choice, exact: true }).click();
  }

  async startFrom(budget: string): Promise<void> {
    await this.page.getByRole("combobox", { name: "Start from a known budget" }).click();
    await this.page.getByRole("option", { name: budget, exact: true }).click();
  }

  /** Make room for a distribution; where there is no run it is there already. */
  async openPaste(): Promise<void> {
    const button = this.page.getByRole("button", { name: /^Paste (a distribution|another)$/ });
    // Until the runs are known the button stands where the field will be.
    await expect(async () => {
      if (!(await this.pasted.isVisible())) await button.click({ timeout: 1_000 });
      await expect(this.pasted).toBeVisible({ timeout: 1_000 });
    }).toPass();
  }

  /** Judge a distribution brought along. */
  async paste(text: string): Promise<void> {
    await this.openPaste();
    await this.pasted.fill(text);
    await this.page.getByRole("button", { name: "Judge this" }).click();
  }

  configuration(title: string): Locator {
    return this.configurations.getByRole("row").filter({ hasText: title });
  }
}
