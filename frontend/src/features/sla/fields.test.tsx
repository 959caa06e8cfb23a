import { act, renderHook, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readQuestion } from "@/entities/question/question";
import { slaSearch } from "@/features/sla/address";
import { show } from "@/test/render";
import { useDraft } from "@/ui/useDraft";
import type { SlaChange, SlaSearch } from "./address";
import { QuestionSentence } from "./QuestionSentence";

afterEach(() => {
  vi.useRealTimers();
});

describe("edits", () => {
  const start = (view: SlaSearch) => {
    vi.useFakeTimers();
    const onView = vi.fn<(change: SlaChange) => void>();
    const hook = renderHook(({ now }: { now: SlaSearch }) => useDraft(now, onView), { initialProps: { now: view } });
    return { onView, hook };
  };

  it("are shown at once and go into the address when the reader pauses, all together", () => {
    const { onView, hook } = start({ run: "x" });
    act(() => hook.result.current.edit({ reads: 2 }));
    act(() => hook.result.current.edit({ reads: 25, window: "2 s" }));
    expect(hook.result.current.shown).toEqual({ run: "x", reads: 25, window: "2 s" });
    expect(hook.result.current.pending).toBe(true);
    expect(onView).not.toHaveBeenCalled();
    act(() => void vi.advanceTimersByTime(1_000));
    expect(onView.mock.calls).toEqual([[{ reads: 25, window: "2 s" }]]);
  });

  it("are forgotten once the address has them, so that going back shows what it says", () => {
    const { hook } = start({});
    act(() => hook.result.current.edit({ reads: 25 }));
    act(() => void vi.advanceTimersByTime(1_000));
    hook.rerender({ now: { reads: 25 } });
    expect(hook.result.current.pending).toBe(false);
    hook.rerender({ now: { reads: 3 } });
    expect(hook.result.current.shown).toEqual({ reads: 3 });
  });

  it("made while the address changes are kept", () => {
    const { hook } = start({});
    act(() => hook.result.current.edit({ reads: 25 }));
    act(() => void vi.advanceTimersByTime(1_000));
    act(() => hook.result.current.edit({ reads: 250 }));
    hook.rerender({ now: { reads: 25 } });
    expect(hook.result.current.shown.reads).toBe(250);
  });

  it("that are choices do not wait", () => {
    const { onView, hook } = start({});
    act(() => hook.result.current.edit({ reads: 25 }));
    act(() => hook.result.current.choose({ sched: "parallel" }));
    expect(onView.mock.calls).toEqual([[{ reads: 25, sched: "parallel" }]]);
    act(() => void vi.advanceTimersByTime(1_000));
    expect(onView).toHaveBeenCalledTimes(1);
  });
});

/** Renders the sentence with a mocked address. */
function Page({ from }: { from: SlaSearch }) {
  const [view, setView] = useState(from);
  const draft = useDraft(view, (change) => setView((before) => slaSearch({ ...before, ...change })));
  return (
    <>
      <QuestionSentence draft={draft} state={readQuestion(view)} subject="the log" />
      <output>{JSON.stringify(view)}</output>
    </>
  );
}

const address = () => JSON.parse(screen.getByRole("status").textContent ?? "{}") as SlaSearch;

describe("the sentence", () => {
  const sentence = () => (screen.getByRole("heading", { level: 1 }).textContent ?? "").replaceAll(/[\s\u00a0]+/g, " ");

  it("begins with the card-fraud check, and keeps no time for scoring by itself", () => {
    show(<Page from={{}} />);
    expect(sentence()).toBe(
      "My transaction does 250 reads, one after another, and must end within 1 s in 99.9 % of cases. Does the log keep it?",
    );
    expect(screen.queryByRole("slider")).toBeNull();
  });

  it("keeps time for scoring when asked to", async () => {
    show(<Page from={{}} />);
    await userEvent.click(screen.getByRole("button", { name: "Keep time for scoring" }));
    expect(address()).toEqual({ reserve: "100 ms" });
    expect(sentence()).toContain("within 1 s, 100 ms of it kept for scoring, in");
  });

  it("keeps what cannot be read, and says what is wrong with it", async () => {
    show(<Page from={{}} />);
    await userEvent.click(screen.getByRole("button", { name: /^Window: 1.s/ }));
    const window = await screen.findByRole("textbox", { name: "Window" });
    await userEvent.clear(window);
    await userEvent.type(window, "soon");
    await screen.findByRole("alert");
    expect(screen.getByRole("alert").textContent?.replaceAll("\u00a0", " ")).toBe(
      "“soon” is not a time. Write a number and its unit, such as 1 s or 400 ms.",
    );
    expect(window.getAttribute("aria-invalid")).toBe("true");
    expect((window as HTMLInputElement).value).toBe("soon");
    expect(address()).toEqual({ window: "soon" });
  });

  it("says what a scheduling of the address is, when it is none", () => {
    show(<Page from={{ sched: "sideways" }} />);
    expect(screen.getByText(/“sideways” is not known here/)).toBeTruthy();
  });

  it("adds and removes stages", async () => {
    show(<Page from={{}} />);
    await userEvent.click(screen.getByText("Add a step"));
    await userEvent.click(screen.getByRole("button", { name: "Add a stage" }));
    expect(address()).toEqual({ also: "1_read" });
    await userEvent.click(screen.getByRole("button", { name: "Remove stage 2" }));
    expect(address()).toEqual({});
  });
});
