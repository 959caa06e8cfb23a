// Where a token opens a session.
import type { Locator, Page } from "@playwright/test";

export class SignInPage {
  readonly heading: Locator;
  readonly token: Locator;
  readonly button: Locator;

  constructor(page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Sign in" });
    this.token = page.getByLabel("Access token");
    this.button = page.getByRole("button", { name: "Sign in", exact: true });
  }

  async signIn(token: string): Promise<void> {
    await this.token.fill(token);
    await this.button.click();
  }
}
