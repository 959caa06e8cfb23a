import { describe, expect, it } from "vitest";
import { ratingSentence } from "@/entities/drive/ratings";
import { answerOf, conditionWords, dateText, rankSentence, splitConditions } from "./words";

const plain = (text: string | null): string | null => text?.replaceAll("\u00a0", " ") ?? null;

const rating = (passed_load: number | null, failed_load: number | null, never_tested_above = false) => ({
  passed_load,
  failed_load,
  never_tested_above,
});

describe("ratings as sentences", () => {
  it.each([
    [rating(3, 6), "Holds 3x, fails at 6x"],
    [rating(145, null, true), "Holds 145x; never tested above"],
    [rating(3, null, false), "Holds 3x; above it no test decides"],
    [rating(null, 3), "Fails at 3x; no load is known that it passes"],
    [rating(null, null), "No test decides it"],
  ])("%j", (one, sentence) => {
    expect(ratingSentence(one)).toBe(sentence);
  });

  it("come to one answer, which never stands for other conditions", () => {
    const answer = (...ratings: ReturnType<typeof rating>[]) => {
      const { of, sentence, fact } = answerOf(ratings.map((one) => ({ rating: one })));
      return [of.verdict, `${sentence.before}${sentence.key}${sentence.after}`, fact];
    };
    expect(answer(rating(3, 6))).toEqual(["PASS", "Holds 3x.", "fails at 6x"]);
    expect(answer(rating(3, 6), rating(6, 12))).toEqual([
      "PASS",
      "Holds 6x under 1 of 2 sets of conditions, 3x under all.",
      "fails at 6x under 1 of 2 sets of conditions",
    ]);
    expect(answer(rating(null, null), rating(1, null))).toEqual([
      "PASS",
      "Holds 1x under 1 of 2 sets of conditions.",
      "no test failed",
    ]);
    expect(answer(rating(null, 1), rating(null, 3))[0]).toBe("FAIL");
    expect(answer(rating(null, null))).toEqual(["INDETERMINATE", "No load is known that it passes.", null]);
  });

  it("name the ranks that a rating allows, never one for several", () => {
    expect(rankSentence({ best: 1, worst: 4, among: 10 })).toBe("rank 1–4 of 10 under these conditions");
    expect(rankSentence({ best: 2, worst: 2, among: 10 })).toBe("rank 2 of 10 under these conditions");
    expect(rankSentence({ best: 1, worst: 1, among: 1 })).toBe("the only one under these conditions");
    expect(rankSentence(null)).toBeNull();
  });
});

describe("conditions in words", () => {
  const total = {
    capacity_bytes: 400e9,
    over_provisioning: { class: "over_provisioned", usable_ratio: 0.8 },
    metric_class: "total",
    generation: "before-2.0",
  };
  const device = { ...total, metric_class: "device" };
  const unstated = { ...total, capacity_bytes: null, over_provisioning: { class: "unstated", usable_ratio: null } };

  it("say all of it", () => {
    expect(plain(conditionWords(total))).toBe(
      "400 GB · over-provisioned, 80 % usable · response time (total) · ACT before 2.0",
    );
    expect(plain(conditionWords(unstated))).toBe(
      "capacity not stated · over-provisioning not stated · response time (total) · ACT before 2.0",
    );
  });

  it("say with each row only what tells it from the others", () => {
    const { own, shared } = splitConditions([total, device]);
    expect(own(total)).toBe("response time (total)");
    expect(own(device)).toBe("service time (device only)");
    expect(plain(shared)).toBe("400 GB · over-provisioned, 80 % usable · ACT before 2.0");
    expect(splitConditions([total]).own(total)).toBe("");
  });
});

it("a test without a date of its own has that of its document", () => {
  expect(dateText({ tested_at: "11/10/12", source: { published_at: "2013" } })).toBe("dated 11/10/12");
  expect(dateText({ tested_at: null, source: { published_at: "2019-11-24" } })).toBe("published 24 Nov 2019");
  expect(dateText({ tested_at: "2026-11-20T17:00:00+00:00", source: { published_at: null } })).toBe(
    "dated 20 Nov 2026",
  );
  expect(dateText({ tested_at: null, source: { published_at: null } })).toBe("date not stated");
});
