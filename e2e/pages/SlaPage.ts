// SLA page: the question as a sentence with editable values, answer, sizing, and matching configurations.
import { expect, type Locator, type Page } from "@playwright/test";

/** A value in the sentence. Its input exists only while it is open. */
export class SlaValue {
  readonly button: Locator;
  readonly field: Locator;

  constructor(page: Page, label: string) {
    this.button = page.getByRole("button", { name: new RegExp(`^${label}: `) });
    this.field = page.getByRole("textbox", { name: label, exact: true });
  }

  async fill(text: string): Promise<void> {
    await this.button.click();
    await this.field.fill(text);
    await this.field.press("Enter");
    await expect(this.field).toBeHidden();
  }
}

export class SlaPage {
  readonly heading: Locator;
  readonly sentence: Locator;
  readonly reads: SlaValue;
  readonly window: SlaValue;
  readonly reserve: SlaValue;
  readonly objective: SlaValue;
  readonly fanOut: SlaValue;
  /** Button that shows and changes the subject of the question. */
  readonly subject: Locator;
  readonly answer: Locator;
  readonly picture: Locator;
  readonly pasted: Locator;
  readonly configurations: Locator;
  readonly sizing: Locator;
  readonly rate: Locator;

  constructor(private readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: /keep it\?$/ });
    this.sentence = page.getByRole("region", { name: "My transaction" });
    this.reads = new SlaValue(page, "How many reads");
    this.window = new SlaValue(page, "Window");
    this.reserve = new SlaValue(page, "Time kept for scoring");
    this.objective = new SlaValue(page, "Objective, per cent of transactions");
    this.fanOut = new SlaValue(page, "How many at a time");
    this.subject = page.getByRole("button", { name: /^Asked of: / });
    this.answer = page.locator("#sla-answer");
    this.picture = page.getByRole("figure", { name: /of transactions \(.*\) take|^Time of a transaction/ });
    // Without any run, the page itself has such a field too, behind the dialog.
    this.pasted = page.getByRole("textbox", { name: "Distribution as JSON" }).last();
    this.configurations = page.getByRole("region", { name: "What meets it?" });
    this.sizing = page.getByRole("region", { name: "How many of them for my rate?" });
    this.rate = page.getByRole("textbox", { name: "Transactions per second", exact: true });
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/sla${query}`);
  }

  /** Returns the answer to a question, by its text. */
  answerTo(question: string | RegExp): Locator {
    return this.page.getByRole("region", { name: question });
  }

  async schedule(choice: string): Promise<void> {
    await this.page.getByRole("button", { name: /^Scheduling: / }).click();
    await this.page
      .getByRole("button", { name: new RegExp(`^${choice}`) })
      .last()
      .click();
  }

  async startFrom(budget: string): Promise<void> {
    await this.page.getByRole("button", { name: "Start from" }).click();
    await this.page.getByRole("menuitem", { name: budget, exact: true }).click();
  }

  /** Opens the field for a distribution; without any run, it is already visible. */
  async openPaste(): Promise<void> {
    const button = this.page.getByRole("button", { name: /^Paste (a distribution|another)$/ });
    // Until the runs are loaded, it is unknown whether the page has the field. Each button is clicked once: a second
    // click would close what the first opened.
    await expect(this.subject).not.toHaveAccessibleName(/(the newest|this) run$/);
    if (await this.pasted.isVisible()) return;
    if (!(await button.isVisible())) await this.subject.click();
    await button.click();
    await expect(this.pasted).toBeVisible();
  }

  /** Judges a pasted distribution. */
  async paste(text: string): Promise<void> {
    await this.openPaste();
    await this.pasted.fill(text);
    await this.page.getByRole("button", { name: "Judge this" }).last().click();
  }

  /** Rows of the decided, entries of the undecided. */
  get configurationItems(): Locator {
    return this.configurations.getByRole("row").or(this.configurations.getByRole("listitem"));
  }

  configuration(title: string): Locator {
    return this.configurationItems.filter({ hasText: title });
  }

  /** Loads the whole list. Other journeys add runs, and its first page shows only the best. Rejects if the list changes meanwhile. */
  async showAllConfigurations(): Promise<void> {
    const items = this.configurationItems;
    const more = this.configurations.getByRole("button", { name: /^Show more than these/ });
    await expect(items.first()).toBeVisible();
    while (await more.isVisible()) {
      const count = await items.count();
      // The button goes when the answer to another request completes the list.
      await more.click({ timeout: 5_000 });
      await expect.poll(() => items.count()).toBeGreaterThan(count);
    }
  }
}
