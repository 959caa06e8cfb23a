import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { cell, LOADS, leaderboardRow } from "@/test/driveFixtures";
import { show } from "@/test/render";
import { Groups } from "./Groups";
import { groupsOf } from "./groups";

const nvme = leaderboardRow("n", {
  drive: { slug: "fast", vendor: "Fast", name: "Fast One" },
  interface: "PCIe/NVMe",
  generation: "2-5",
  dwpd: null,
  rating: {
    passed_load: 12,
    failed_load: null,
    passed_strength: "observed",
    failed_strength: null,
    never_tested_above: true,
    violations: [],
  },
  cells: [cell(1, "bounded"), cell(3, "bounded"), cell(6, "bounded"), cell(12, "passed")],
});
const sata = leaderboardRow("s");
const own = leaderboardRow("o", {
  interface: null,
  generation: "unstated",
  evidence: ["uploaded"],
  metric_class: "device",
});

const shown = (changes: Partial<Parameters<typeof Groups>[0]> = {}) => {
  const onPick = vi.fn();
  const onCompare = vi.fn();
  show(
    <Groups
      rows={[sata, own, nvme]}
      loads={LOADS}
      picks={[]}
      full={false}
      measure={{ of: "reads", limits: [{ threshold_ns: 1_000_000, limit_ratio: 0.05 }] }}
      onPick={onPick}
      onCompare={onCompare}
      {...changes}
    />,
  );
  return { onPick, onCompare };
};

describe("drives in groups", () => {
  it("stand apart by kind and conditions, current tests and one's own first", () => {
    expect(groupsOf([sata, own, nvme], 2026).map((group) => [group.title, group.isCurrent])).toEqual([
      ["NVMe, over-provisioned", true],
      ["Other drives, over-provisioned", true],
      ["SATA and SAS, over-provisioned", false],
    ]);
  });

  it("stand apart by record size, and by the share of the flash that is kept free", () => {
    const [unstated, freer] = [
      { ...nvme, row_id: "u", record_bytes: null },
      {
        ...nvme,
        row_id: "f",
        usable_cluster: 1,
        over_provisioning: { ...nvme.over_provisioning, usable_ratio: 0.625 },
      },
    ];
    const groups = groupsOf([nvme, unstated, freer], 2026).map(({ title, conditions, rows }) => [
      title,
      conditions.split(" · ")[2],
      rows.length,
    ]);
    expect(groups).toEqual([
      ["NVMe, over-provisioned", "records of 1.5\u00a0KB", 1],
      ["NVMe, over-provisioned", "record size not stated", 1],
      ["NVMe, over-provisioned, 62.5\u00a0% usable", "records of 1.5\u00a0KB", 1],
    ]);
  });

  it("fold what is older, and say in words what each holds and fails", () => {
    shown();
    const group = screen.getByRole("region", { name: "NVMe, over-provisioned" });
    const row = within(group).getByRole("row", { name: /Fast One/ });
    expect(
      within(row)
        .getAllByRole("cell")
        .map((each) => each.textContent),
    ).toEqual(expect.arrayContaining(["12x", "untested", "2012", "not stated"]));
    expect(within(group).getByText("Fast One 400 GB held 12x; no test went higher.")).toBeTruthy();
    const older = screen.getByText("SATA and SAS, over-provisioned").closest("details");
    expect(older?.open).toBe(false);
    expect(older?.textContent).toContain("1 held");
    expect(older?.textContent).toContain("3x6x");
  });

  it("fold rows older than five years where younger ones are there, and not where all are old", () => {
    const year = new Date().getFullYear();
    const young = { ...nvme, row_id: "y", tested_year: year - 5, drive: { ...nvme.drive, slug: "y", name: "New One" } };
    expect(groupsOf([nvme], year)[0]?.old).toEqual([]);
    const [group] = groupsOf([nvme, young], year);
    expect([group?.isCurrent, group?.rows.length, group?.old]).toEqual([true, 2, [nvme]]);
    const [alone] = groupsOf([{ ...nvme, generation: "6+" }, young], year).filter((each) => each.rows[0] !== young);
    expect([alone?.isCurrent, alone?.old.length]).toEqual([false, 1]);
    shown({ rows: [nvme, young] });
    const folded = screen.getByText("1 row tested more than 5 years ago").closest("details");
    expect(folded?.open).toBe(false);
    expect(folded?.textContent).toContain("Fast One");
    expect(folded?.textContent).not.toContain("New One");
  });

  it("say firmware where a source states it", () => {
    shown({ rows: [{ ...nvme, firmwares: ["1.0", "1.1"] }] });
    expect(screen.getByRole("columnheader", { name: "Firmware" })).toBeTruthy();
    expect(screen.getByRole("cell", { name: "1.0, 1.1" })).toBeTruthy();
  });

  it("share their columns, and leave out one that holds nothing in any of them", () => {
    shown();
    const columnOf = (group: string, name: string) =>
      within(screen.getByRole("region", { name: group })).queryByRole("columnheader", { name });
    for (const group of ["NVMe, over-provisioned", "Other drives, over-provisioned"]) {
      expect(columnOf(group, "DWPD")).toBeTruthy();
      expect(columnOf(group, "For 1,000/s")).toBeNull();
      for (const name of ["Holds", "Fails at", "Year", "Tested by", "Length"])
        expect(columnOf(group, name)).toBeTruthy();
    }
  });

  it("have columns of what drives counted only where one of them did, with the load", () => {
    const figure = {
      key: "write_amplification_ratio",
      label: "Write amplification",
      text: "1.999–2.001",
      unit: "ratio",
      lower: 1.999,
      upper: 2.001,
      source: "extended",
      reason: null,
    };
    const counted = { ...nvme, row_id: "p", drive: { ...nvme.drive, slug: "other", name: "Other One" } };
    shown({ rows: [nvme, { ...counted, counters: { load: 6, figures: [figure] } }] });
    const group = screen.getByRole("region", { name: "NVMe, over-provisioned" });
    expect(within(group).getByRole("columnheader", { name: "Write ampl." })).toBeTruthy();
    expect(within(group).queryByRole("columnheader", { name: "Wear" })).toBeNull();
    expect(within(group).getByText("1.999–2.001").title).toBe("1.999–2.001 at 6x, by the drive's own counters");
    const row = within(group).getByRole("row", { name: /^Put Fast One/ });
    expect(within(row).queryByText("1.999–2.001")).toBeNull();
  });

  it("read each track out, and never join what was not tested", () => {
    shown();
    const track = screen.getByRole("img", { name: "Holds 12x; never tested above." });
    expect(
      within(track)
        .getAllByTitle(/x: /)
        .map((mark) => mark.title),
    ).toEqual(["12x: passed"]);
  });

  it("are sorted by a column inside each group, and what is unknown comes last", async () => {
    const other = { ...nvme, row_id: "p", drive: { ...nvme.drive, slug: "other", name: "Other One" } };
    const third = { ...other, row_id: "q", drive: { ...nvme.drive, slug: "third", name: "Third One" } };
    shown({ rows: [nvme, { ...other, dwpd: 1 }, { ...third, dwpd: 3 }] });
    const group = screen.getByRole("region", { name: "NVMe, over-provisioned" });
    await userEvent.click(within(group).getByRole("button", { name: "DWPD" }));
    expect(within(group).getByRole("columnheader", { name: "DWPD" }).getAttribute("aria-sort")).toBe("descending");
    expect(
      within(group)
        .getAllByRole("link")
        .map((link) => link.textContent),
    ).toEqual(["Fast Third One", "Fast Other One", "Fast One"]);
  });

  it("lead from the last tick to the comparison by two keys", async () => {
    const { onCompare } = shown({ picks: [`${own.drive.slug}.o`, "fast.n"] });
    screen.getByRole("checkbox", { name: "Put Fast One 400\u00a0GB on the shortlist" }).focus();
    await userEvent.tab();
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe("Compare these 2");
    await userEvent.keyboard("{Enter}");
    expect(onCompare).toHaveBeenCalledOnce();
  });

  it("are named with their capacity, so that a screen reader tells sizes of a drive apart", () => {
    const larger = { ...nvme, row_id: "larger", capacity_bytes: 1_920_000_000_000 };
    shown({ rows: [nvme, larger] });
    for (const name of ["Fast One 400\u00a0GB", "Fast One 1.92\u00a0TB"]) {
      expect(screen.getByRole("rowheader", { name })).toBeTruthy();
      expect(screen.getByRole("checkbox", { name: `Put ${name} on the shortlist` })).toBeTruthy();
    }
  });

  it("put a drive on the shortlist, and ask for more rows", async () => {
    const onMore = vi.fn();
    const { onPick } = shown({ pages: { hasNextPage: true, isFetchingNextPage: false, fetchNextPage: onMore } });
    await userEvent.click(screen.getByRole("checkbox", { name: "Put Fast One 400\u00a0GB on the shortlist" }));
    expect(onPick).toHaveBeenCalledWith("fast.n");
    await userEvent.click(screen.getByRole("button", { name: "Show more drives" }));
    expect(onMore).toHaveBeenCalledOnce();
  });
});
