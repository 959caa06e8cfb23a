import { renderHook } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { runListSearch } from "@/features/run-list/address";
import { runSearch } from "@/features/run-page/address";
import { signInSearch } from "@/features/sign-in/address";
import { useView, useViewWithQuestion } from "./useView";

describe("what a page shows of its address", () => {
  it("is without values that cannot be meant, also where the router hands them on", () => {
    const view = renderHook(() => useView({ state: "asleep", sort: "sideways", q: "nvme" }, runListSearch));
    expect(view.result.current).toStrictEqual({ q: "nvme" });
    const signIn = renderHook(() => useView({ from: "//example.org" }, signInSearch));
    expect(signIn.result.current).toStrictEqual({});
  });

  it("holds the question that travels where the page answers it", () => {
    const view = renderHook(() => useViewWithQuestion({ clock: "wall", reads: 3, other: 1 }, runSearch));
    expect(view.result.current).toStrictEqual({ reads: 3 });
  });
});
