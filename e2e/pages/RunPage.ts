// Run page: state, verdict cards, charts and facts.
import type { Locator, Page } from "@playwright/test";

export class RunPage {
  readonly title: Locator;
  readonly state: Locator;
  /** Leading verdict as a sentence, with its picture. */
  readonly answer: Locator;
  readonly cards: Locator;
  readonly reconnecting: Locator;
  readonly facts: Locator;
  readonly exceedance: Locator;
  readonly overTime: Locator;
  /** Section on the load generator and the drive. */
  readonly load: Locator;
  /** Load ladder that the run is a step of; absent for other runs. */
  readonly ladder: Locator;
  readonly ladderSteps: Locator;
  /** Search for the highest load that the run is a probe of; absent for other runs. */
  readonly search: Locator;
  /** Cards of provisional verdicts. */
  readonly provisional: Locator;

  constructor(private readonly page: Page) {
    this.title = page.getByRole("heading", { level: 1 });
    // A header inside main has no ARIA role of its own.
    this.state = page.getByRole("main").locator("header");
    this.answer = page.getByRole("region", { name: "Answer" });
    this.cards = page.getByRole("main").getByRole("article");
    this.reconnecting = page.getByRole("status").filter({ hasText: "Reconnecting" });
    this.facts = page.getByRole("region", { name: "Run facts" });
    this.load = page.getByRole("region", { name: "Was the load applied?" });
    this.overTime = page.getByRole("region", { name: "Over time" });
    this.ladder = page.getByRole("region", { name: "Load ladder" });
    this.ladderSteps = this.ladder.getByRole("list").getByRole("link");
    this.search = page.getByRole("region", { name: "Highest load that holds" });
    this.exceedance = page.getByRole("table").filter({ hasText: "Limit" }).first();
    this.provisional = this.cards.filter({ hasText: /(PASS|FAIL|Undecided) so far/ });
  }

  async open(runId: string, query = ""): Promise<void> {
    await this.page.goto(`/runs/${runId}${query}`);
  }

  /** Returns the id of the run in the URL. */
  runId(): string {
    return new URL(this.page.url()).pathname.split("/").at(-1) ?? "";
  }

  chart(title: RegExp): Locator {
    return this.page.getByRole("figure", { name: title });
  }

  /** Returns the number of readable positions of a chart. Scrolls to it first: off-screen charts are not updated. */
  async positions(title: RegExp): Promise<number> {
    await this.chart(title).scrollIntoViewIfNeeded();
    const last = await this.chart(title).getByRole("slider").getAttribute("aria-valuemax");
    return Number(last) + 1;
  }
}
