// Leaderboard page: judging basis, conditions, matrix, filters, shortlist.
import type { Download, Locator, Page } from "@playwright/test";

export class DrivesPage {
  readonly heading: Locator;
  readonly grid: Locator;
  readonly search: Locator;
  readonly count: Locator;
  readonly judge: Locator;
  readonly conditions: Locator;
  readonly equal: Locator;
  readonly filters: Locator;
  readonly chips: Locator;
  readonly compare: Locator;
  readonly cards: Locator;
  /** Tooltip with the basis of a cell. */
  readonly card: Locator;

  constructor(private readonly page: Page) {
    // The question while loading, then the answer.
    this.heading = page.getByRole("heading", {
      level: 1,
      name: /kept it in their tests|holds|tie for first|comes first|is known to pass/,
    });
    this.grid = page.getByRole("grid", { name: "Drives by load" });
    this.search = page.getByRole("textbox", { name: "Vendor or drive" });
    this.count = page.getByRole("search", { name: "Find drives" }).getByRole("status");
    this.judge = page.getByRole("region", { name: "Judged by" });
    this.conditions = page.getByRole("region", { name: "Conditions" });
    this.equal = page.getByRole("switch", { name: "Equal conditions" });
    this.filters = page.getByRole("dialog", { name: "Filters" });
    this.chips = page.getByRole("list", { name: "Filters at work" });
    this.compare = page.getByRole("region", { name: /side by side$/ });
    this.cards = page.getByRole("list", { name: "Drives", exact: true });
    this.card = page.getByRole("tooltip");
  }

  /** Opens all drives, grouped by equal conditions. */
  async openGroups(): Promise<void> {
    await this.page.goto("/drives");
  }

  /** Opens one table; of one set of conditions, unless the query says otherwise. */
  async open(query = ""): Promise<void> {
    await this.page.goto(`/drives${query}${query === "" ? "?" : "&"}view=table`);
  }

  /** Rows of drives, without the header. */
  get rows(): Locator {
    return this.grid.getByRole("row").filter({ has: this.page.getByRole("rowheader") });
  }

  row(drive: string): Locator {
    return this.rows.filter({ has: this.page.getByRole("link", { name: drive, exact: true }) });
  }

  /** Returns a cell of the matrix by its load, such as `6x`. */
  cell(drive: string, load: string): Locator {
    return this.row(drive).getByRole("gridcell", { name: new RegExp(`^${load} `) });
  }

  /** Returns the names of the visible drives, from the top. */
  async names(): Promise<string[]> {
    return this.rows.getByRole("rowheader").getByRole("link").allTextContents();
  }

  async judgeBy(basis: "a rule set" | "my limits" | "my transaction" | "a saved budget"): Promise<void> {
    await this.judge.getByText(basis, { exact: true }).click();
  }

  async openFilters(): Promise<void> {
    await this.page.getByRole("button", { name: /^Filters/ }).click();
    await this.filters.waitFor();
  }

  pick(drive: string): Locator {
    return this.page.getByRole("checkbox", { name: new RegExp(`^Put ${drive}.* on the shortlist`) }).first();
  }

  async download(item: "CSV" | "JSON"): Promise<Download> {
    await this.page.getByRole("button", { name: "Export" }).click();
    const download = this.page.waitForEvent("download");
    await this.page.getByRole("menuitem", { name: new RegExp(`^${item}`) }).click();
    return download;
  }
}
