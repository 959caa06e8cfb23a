// Asks for what the page will show while its scripts are still on their way: half of what a first visit waits for. Whoever asks the same
// within the first seconds is handed the answer (src/api/ahead.ts). What is not plain here is asked for by the page itself.
(() => {
  const { pathname, search, origin } = window.location;
  const ahead = new Map();
  window.tailroomAhead = ahead;
  const ask = (path) => {
    const answer = fetch(path, { credentials: "same-origin" });
    answer.catch(() => undefined);
    ahead.set(origin + path, answer);
  };

  const run = /^\/runs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/.exec(pathname);
  if (run !== null)
    for (const part of ["", "/heatmap", "/timeline?max_points=600"]) ask(`/api/v1/runs/${run[1]}${part}`);

  if (pathname === "/drives") {
    const fields = new URLSearchParams(search);
    const query = transaction(fields);
    const rest = [...fields.keys()].filter((key) => !["view", "equal", "pick", "compare"].includes(key));
    if (query !== null && rest.length === 0) {
      if (fields.get("equal") === "no" || fields.get("view") !== "table") query.push("equal=false");
      ask(`/api/v1/leaderboard?${[...query, "limit=100"].join("&")}`);
    }
  }

  // Scripts and styles of the page's own screen: the build writes into the page which those are.
  const screens = JSON.parse(document.querySelector("meta[name=screens]")?.content ?? "{}");
  for (const file of screens[run !== null ? "run" : pathname] ?? []) {
    const link = document.createElement("link");
    const isStyle = file.endsWith(".css");
    link.rel = isStyle ? "preload" : "modulepreload";
    if (isStyle) link.as = "style";
    link.crossOrigin = "";
    link.href = file;
    document.head.append(link);
  }

  /** The transaction of the address as the API takes it, taken out of the fields; null where one of them needs more than this to be read. */
  function transaction(fields) {
    const asked = ["reads", "sched", "window", "reserve", "objective"].map((key) => {
      const text = fields.get(key);
      fields.delete(key);
      return text;
    });
    if (asked.every((text) => text === null)) return [];
    const [reads, scheduling, window, reserve, objective] = asked;
    const [window_ns, reserve_ns] = [nanoseconds(window ?? "1s"), reserve === null ? 0 : nanoseconds(reserve)];
    const isPlain =
      /^[1-9]\d{0,4}$/.test(reads ?? "") &&
      ["sequential", "parallel"].includes(scheduling ?? "sequential") &&
      (objective ?? "99.9") === "99.9" &&
      reserve_ns < window_ns;
    if (!isPlain) return null;
    return [
      `reads=${reads}`,
      `scheduling=${scheduling ?? "sequential"}`,
      `fan_out=${scheduling === "parallel" ? reads : 1}`,
      `window_ns=${window_ns}`,
      `reserve_ns=${reserve_ns}`,
      "objective_ratio=0.999",
    ];
  }

  function nanoseconds(text) {
    const found = /^(\d{1,4}) ?(ms|s)$/.exec(text);
    return found === null ? Number.NaN : Number(found[1]) * (found[2] === "s" ? 1e9 : 1e6);
  }
})();
