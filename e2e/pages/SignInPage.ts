// Sign-in page with a token.
import type { Locator, Page } from "@playwright/test";

export class SignInPage {
  readonly heading: Locator;
  readonly token: Locator;
  readonly button: Locator;

  constructor(private readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1, name: "Sign in" });
    this.token = page.getByLabel("Access token");
    this.button = page.getByRole("button", { name: "Sign in", exact: true });
  }

  async signIn(token: string): Promise<void> {
    const instead = this.page.getByRole("button", { name: "Use an access token instead" });
    await instead.or(this.token).first().waitFor();
    if (await instead.isVisible()) await instead.click();
    await this.token.fill(token);
    await this.button.click();
  }
}
