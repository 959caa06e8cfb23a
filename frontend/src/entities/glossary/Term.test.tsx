import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { show } from "@/test/render";
import { Term } from "./Term";
import { entryOf, TERMS } from "./terms";

describe("a word of the glossary in a sentence", () => {
  it("says what it means when it is pressed, and leads to the others", async () => {
    show(
      <div>
        a fixed <Term id="slice">slice</Term> of a run
      </div>,
    );
    expect(screen.getByText(/^a fixed/).textContent).toBe("a fixed slice of a run");
    expect(screen.queryByRole("dialog")).toBeNull();
    screen.getByRole("button", { name: "slice" }).focus();
    await userEvent.keyboard("{Enter}");
    const meaning = await screen.findByRole("dialog", { name: "Slice" });
    expect(meaning.textContent).toContain(entryOf("slice").meaning);
    expect(screen.getByRole("link", { name: "All words" }).getAttribute("href")).toBe("/glossary#slice");
    // Focus moves into the popover, and returns when it closes.
    await waitFor(() => expect(document.activeElement?.textContent).toBe("All words"));
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("has one meaning for each name", () => {
    const ids = Object.values(TERMS).flatMap((terms) => Object.keys(terms));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
