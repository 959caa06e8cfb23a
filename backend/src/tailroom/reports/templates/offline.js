// Generated from frontend/src/offline by `npm run generate -w frontend`. Do not edit.
var offline = (function(exports) {
	Object.defineProperty(exports, Symbol.toStringTag, { value: "Module" });
	// src/lib/rounding.ts
	var MAX_DECIMALS = 20;
	/** Decimals that show `value` with `digits` significant figures (never negative). */
	function decimalsFor(value, digits = 3) {
		if (value === 0 || !Number.isFinite(value)) return 0;
		const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-12);
		return Math.min(MAX_DECIMALS, Math.max(0, digits - 1 - exponent));
	}
	/** Rounds at `decimals` places in the given direction; values that a double cannot tell from a round one count as round. */
	function roundAt(value, decimals, direction) {
		const scale = 10 ** decimals;
		const scaled = Number((value * scale).toPrecision(15));
		return (direction === "down" ? Math.floor(scaled) : direction === "up" ? Math.ceil(scaled) : Math.round(scaled)) / scale;
	}
	/** Text with `digits` significant figures, rounded in `direction`: 1.28, 59.4, 612, 0.00410. Numbers of more digits keep them all. */
	function toFigures(value, direction = "nearest", digits = 3) {
		if (value === 0) return "0";
		let decimals = decimalsFor(value, digits);
		const rounded = roundAt(value, decimals, direction);
		const carried = decimalsFor(rounded, digits);
		if (carried < decimals && rounded !== 0) decimals = carried;
		return rounded.toFixed(decimals);
	}
	// src/lib/shares.ts
	/** Shares that differ by less are equal. */
	var EXACT = 1e-12;
	var LEAST_SHOWN = 1e-5;
	var MOST_DECIMALS = 12;
	/** Number and sign stay on one line. */
	var PER_CENT = "\xA0%";
	var power = (exponent) => 10n ** BigInt(exponent);
	/** Return a non-negative share in per cent, by the shortest decimal that reads back as the same number. */
	function perCent(share) {
		const [mantissa = "0", exponent = "0"] = String(share).split("e");
		const [integer = "0", fraction = ""] = mantissa.split(".");
		const decimals = fraction.length - Number(exponent) - 2;
		const digits = BigInt(integer + fraction);
		return decimals >= 0 ? {
			digits,
			decimals
		} : {
			digits: digits * power(-decimals),
			decimals: 0
		};
	}
	/** The exponent of the leading digit: 1 of 12.5, -2 of 0.04. */
	var leadingOf = ({ digits, decimals }) => String(digits).length - 1 - decimals;
	/** Return the value with so many decimals; ties go to the even digit. */
	function quantize({ digits, decimals }, to, direction) {
		if (decimals <= to) return {
			digits: digits * power(to - decimals),
			decimals: to
		};
		const step = power(decimals - to);
		const floor = digits / step;
		const rest = digits % step;
		return {
			digits: (direction === "up" ? rest > 0n : direction === "nearest" && (rest * 2n > step || rest * 2n === step && floor % 2n === 1n)) ? floor + 1n : floor,
			decimals: to
		};
	}
	/** Return the sign of `a - b`. */
	function compare(a, b) {
		const decimals = Math.max(a.decimals, b.decimals);
		const [left, right] = [quantize(a, decimals, "nearest").digits, quantize(b, decimals, "nearest").digits];
		return left > right ? 1 : left < right ? -1 : 0;
	}
	function short({ digits, decimals }) {
		const text = String(digits).padStart(decimals + 1, "0");
		if (decimals === 0) return text;
		return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`.replace(/\.?0+$/, "");
	}
	/** Return the share in per cent without the noise that binary fractions leave of a decimal one, and its leading digit's exponent. */
	function cleaned(share) {
		const percent = perCent(share);
		const rest = {
			digits: 100n * power(percent.decimals) - percent.digits,
			decimals: percent.decimals
		};
		const leading = leadingOf(compare(percent, rest) <= 0 ? percent : rest);
		return {
			exact: quantize(percent, Math.min(13, 9 - leading), "nearest"),
			leading
		};
	}
	/** One end in per cent: two digits of the smaller of the share and its rest, more next to the limit. */
	function endText(share, direction, limit) {
		if (share <= 0 || share >= 1) return share <= 0 ? "0" : "100";
		if (share < LEAST_SHOWN && direction === "down") return "0";
		const { exact, leading } = cleaned(share);
		const limitPercent = limit === null ? null : perCent(limit);
		let rounded = exact;
		for (let decimals = Math.max(0, 1 - leading); decimals < MOST_DECIMALS; decimals += 1) {
			rounded = quantize(exact, decimals, direction);
			if (limitPercent === null || compare(rounded, limitPercent) === compare(exact, limitPercent)) break;
		}
		return short(rounded);
	}
	/** Return a share with bounds, `1.9–2.1 %`, `99.38–99.964 %`: outward, with two digits of the smaller part. */
	function shareText(lower, upper, { limit = null, counted = true } = {}) {
		if (lower > .999999 && (!counted || lower < 1)) return `99.9999${PER_CENT} or more`;
		if (upper - lower <= EXACT) return exactShareText(lower, limit);
		if (lower <= 0 && upper >= 1) return `0–100${PER_CENT}`;
		if (upper >= .999999) return `${endText(lower, "down", limit)}${PER_CENT} or more`;
		if (upper < LEAST_SHOWN) return `<\u00a00.001${PER_CENT}`;
		const [low, high] = [endText(lower, "down", limit), endText(upper, "up", limit)];
		return low === high ? `${low}${PER_CENT}` : `${low}–${high}${PER_CENT}`;
	}
	function exactShareText(share, limit) {
		if (share <= 0 || share >= 1) return `${share <= 0 ? "0" : "100"}${PER_CENT}`;
		if (share < LEAST_SHOWN) return `<\u00a00.001${PER_CENT}`;
		return `${endText(share, "nearest", limit)}${PER_CENT}`;
	}
	// src/lib/units.ts
	var nanoseconds = (value) => value;
	var NS_PER_SECOND = 1e9;
	// src/lib/format.ts
	/** A narrow space that does not break: number and unit stay on one line. */
	var NBSP = "\xA0";
	var LATENCY_UNITS = [
		{
			name: "ns",
			size: 1
		},
		{
			name: "µs",
			size: 1e3
		},
		{
			name: "ms",
			size: 1e6
		},
		{
			name: "s",
			size: 1e9
		}
	];
	/** The unit in which `value` has one to three digits before the point; seconds beyond. */
	function unitOf(value) {
		const size = Math.abs(value);
		if (size >= 1e9) return LATENCY_UNITS[3];
		if (size >= 1e6) return LATENCY_UNITS[2];
		if (size >= 1e3) return LATENCY_UNITS[1];
		return LATENCY_UNITS[0];
	}
	/** `1.28 ms`; 999.6 µs is `1.00 ms`. */
	function formatLatency(value, direction = "nearest") {
		if (value === 0) return `0${NBSP}s`;
		const unit = unitOf(value);
		const decimals = decimalsFor(value / unit.size);
		const rounded = roundAt(value / unit.size, decimals, direction);
		if (Math.abs(rounded) >= 1e3 && unit.name !== "s") {
			const next = unitOf(unit.size * 1e3);
			return `${toFigures(rounded / 1e3, direction)}${NBSP}${next.name}`;
		}
		return `${toFigures(value / unit.size, direction)}${NBSP}${unit.name}`;
	}
	/** `612–640 ms`: one unit, lower end rounded down, upper end up. Equal ends are one number. */
	function formatLatencyInterval(lower, upper) {
		if (lower === upper) return formatLatency(lower);
		const unit = unitOf(upper);
		const low = lower / unit.size;
		if (lower !== 0 && Math.abs(low) < .01) return `${formatLatency(lower, "down")}–${formatLatency(upper, "up")}`;
		const from = toFigures(low, "down");
		const to = toFigures(upper / unit.size, "up");
		return from === to ? `${from}${NBSP}${unit.name}` : `${from}–${to}${NBSP}${unit.name}`;
	}
	var SI = [
		"",
		"k",
		"M",
		"G",
		"T"
	];
	/** A number of things in three figures: `59.4k`; whole numbers below a thousand stay whole. */
	function formatCount(value, direction = "nearest") {
		if (Number.isInteger(value) && Math.abs(value) < 1e3) return String(value);
		let step = Math.min(SI.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value)) / 3)));
		if (Math.abs(roundAt(value / 1e3 ** step, decimalsFor(value / 1e3 ** step), direction)) >= 1e3 && step < 4) step += 1;
		return `${toFigures(value / 1e3 ** step, direction)}${SI[step]}`;
	}
	new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });
	var WHOLE = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
	/** Every digit, grouped: `60,012`. */
	var formatInteger = (value) => WHOLE.format(value);
	/** A quantile by three figures of what lies beyond it: `99.791 %`, `50.0 %`. For reading a position, not a bound. */
	function formatQuantile(quantile) {
		const beyond = 1 - quantile;
		const decimals = beyond <= 0 ? 0 : Math.min(10, Math.max(1, Math.ceil(-Math.log10(beyond * 100) - 1e-6) + 2));
		return `${roundAt(quantile * 100, decimals, "down").toFixed(decimals)}${NBSP}%`;
	}
	/** A span in words with at most two units: `30 s`, `10 min`, `23 h 36 min`, `24 h`; days from two on: `2 d 4 h`. */
	function formatSpan(duration) {
		const total = duration / NS_PER_SECOND;
		if (total < 1) return formatLatency(duration);
		const rounded = Math.round(total);
		if (rounded < 60) return `${Number.isInteger(total) ? rounded : toFigures(total)}${NBSP}s`;
		const days = rounded < 172800 ? 0 : Math.floor(rounded / 86400);
		const parts = [
			[days, "d"],
			[Math.floor((rounded - days * 86400) / 3600), "h"],
			[Math.floor(rounded % 3600 / 60), "min"],
			[rounded % 60, "s"]
		];
		const first = parts.findIndex(([amount]) => amount > 0);
		return parts.slice(first, first + 2).filter(([amount]) => amount > 0).map(([amount, name]) => `${amount}${NBSP}${name}`).join(" ");
	}
	// src/lib/words.ts
	/** A name of a file or of a setting at the beginning of a clause, which keeps its letters. */
	var NAME = /^[^\s]*[._/=\d][^\s]*[a-z\d](?=\s|:|,|$)/;
	/** A clause as a sentence begins: `the buckets allow …` is `The buckets allow …`, and `pgl.5494 ends …` stays. */
	var sentence = (text) => NAME.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
	// src/offline/certification.ts
	function certify(rule, slices, limits, { measuredNs, isTooLittle, isTooMuch }) {
		let isUnclear = false;
		for (const slice of slices) for (const [at, ratio] of limits.entries()) {
			const allowed = ratio * slice.total;
			if (slice.total === 0 || (slice.over[at] ?? 0) < allowed || isTooMuch) continue;
			if ((slice.certain[at] ?? 0) >= allowed) return decided("FAIL");
			isUnclear = true;
		}
		if (isUnclear) return undecided("resolution");
		if (rule.duration_ns > measuredNs) return undecided("duration");
		const needed = Math.floor(rule.duration_ns / rule.slice_ns);
		return isTooLittle || isTooMuch || slices.length < needed ? undecided("generator") : decided("PASS");
	}
	var NO_BOUNDS = {
		lower: null,
		upper: null
	};
	function decided(verdict) {
		const proven = {
			verdict: "INDETERMINATE",
			...NO_BOUNDS
		};
		return {
			verdict,
			strength: "observed",
			reason: null,
			observed: {
				verdict,
				...NO_BOUNDS
			},
			proven
		};
	}
	function undecided(reason) {
		const scope = {
			verdict: "INDETERMINATE",
			...NO_BOUNDS
		};
		return {
			verdict: "INDETERMINATE",
			strength: null,
			reason,
			observed: scope,
			proven: scope
		};
	}
	// src/offline/confidence.ts
	var ERROR_ONE_SIDED = .05;
	var HALF_LOG_TWO_PI = .9189385332046727;
	var TINY = 1e-300;
	var MOST_STEPS = 2e5;
	/** ln Γ(z + 1) without its main part, (z + ½) ln z − z + ½ ln 2π, by Stirling's series above 16. */
	function stirlingError(z) {
		if (z < 16) {
			let product = 1;
			for (let step = 1; step <= 16; step += 1) product *= z + step;
			const at = z + 16;
			return (at + .5) * Math.log(at) - at + HALF_LOG_TWO_PI + stirlingError(at) - Math.log(product) - ((z + .5) * Math.log(z) - z + HALF_LOG_TWO_PI);
		}
		const square = z * z;
		return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - (1 / 1188 - 691 / 360360 / square) / square) / square) / square) / square) / z;
	}
	/** x ln(x / mean) + mean − x, without losing digits where both are close: `away` is x − mean, as exact as it is known. */
	function deviance(x, mean, away) {
		if (Math.abs(away) >= .1 * (x + mean)) return x * Math.log(x / mean) - away;
		const ratio = away / (x + mean);
		let sum = away * ratio;
		let term = 2 * x * ratio;
		for (let power = 3; power < 2e3; power += 2) {
			term *= ratio * ratio;
			const next = sum + term / power;
			if (next === sum) break;
			sum = next;
		}
		return sum;
	}
	/** a − (a + b) x, with y = 1 − x: by the smaller of both, because the other has lost its last digits. */
	var awayFromMean = (x, y, a, b) => x <= y ? a - (a + b) * x : (a + b) * y - b;
	/** x^a (1 − x)^b / B(a, b), with y = 1 − x. */
	function density(x, y, a, b) {
		const n = a + b;
		const away = awayFromMean(x, y, a, b);
		const exponent = stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n * x, away) - deviance(b, n * y, -away);
		return Math.sqrt(a * b / (2 * Math.PI * n)) * Math.exp(exponent);
	}
	/**
	* The continued fraction of the incomplete beta function, by Lentz' method. All its terms are positive where x lies below the mean,
	* which is the mean's distance `below` = a − (a + b) x away, so no digits are lost.
	*/
	function fraction(x, a, b, below) {
		let value = a / (a + 1) * (below + 1);
		let [c, d] = [value, 0];
		for (let m = 1; m < MOST_STEPS; m += 1) {
			const last = a + 2 * m - 1;
			const numerator = (a + m - 1) * x / last * ((a + b + m - 1) * x / last) * m * (b - m);
			const term = m + m * (b - m) * x / last + (a + m) / (last + 2) * (below + 1 + m * (2 - x));
			d = 1 / (term + numerator * d || TINY);
			c = term + numerator / c || TINY;
			value *= c * d;
			if (Math.abs(c * d - 1) < 1e-16) break;
		}
		return 1 / value;
	}
	/** The incomplete beta function and its complement at x. */
	function incompleteBeta(x, a, b) {
		const y = 1 - x;
		const away = awayFromMean(x, y, a, b);
		const common = density(x, y, a, b);
		if (away >= 0) {
			const below = common * fraction(x, a, b, away);
			return [below, 1 - below];
		}
		const above = common * fraction(y, b, a, -away);
		return [1 - above, above];
	}
	/** The x below which `chance` of the beta distribution lies, or above which where `isAbove`. */
	function inverse(a, b, chance, isAbove) {
		let [low, high] = [0, 1];
		const mean = a / (a + b);
		const spread = Math.sqrt(mean * (1 - mean) / (a + b + 1));
		let x = Math.min(Math.max(mean + (isAbove ? 1.6 : -1.6) * spread, mean / 1e3), 1 - (1 - mean) / 1e3);
		for (let step = 0; step < 500; step += 1) {
			const [below, above] = incompleteBeta(x, a, b);
			const excess = isAbove ? chance - above : below - chance;
			if (excess === 0) return x;
			if (excess > 0) high = x;
			else low = x;
			const slope = density(x, 1 - x, a, b) / (x * (1 - x));
			let next = x - excess / slope;
			if (!(next > low && next < high)) next = low === 0 ? high / 16 : (low + high) / 2;
			if (Math.abs(next - x) <= 2e-16 * next || next === low || next === high) return next;
			x = next;
		}
		return x;
	}
	/** One-sided upper limit of a share: `over` of `total` effective samples. */
	var shareUpper = (over, total) => over >= total ? 1 : inverse(over + 1, total - over, ERROR_ONE_SIDED, true);
	/** One-sided lower limit of a share. */
	var shareLower = (over, total) => over <= 0 ? 0 : inverse(over, total - over + 1, ERROR_ONE_SIDED, false);
	// src/offline/counts.ts
	/** The first place in ascending values where `isBefore` no longer holds. */
	function place(length, isBefore) {
		let [low, high] = [0, length];
		while (low < high) {
			const middle = low + high >> 1;
			if (isBefore(middle)) low = middle + 1;
			else high = middle;
		}
		return low;
	}
	var runningTotals = /* @__PURE__ */ new WeakMap();
	function running(cells) {
		let totals = runningTotals.get(cells);
		if (totals === void 0) {
			const sums = [0];
			for (const count of cells.counts) sums.push((sums.at(-1) ?? 0) + count);
			totals = sums;
			runningTotals.set(cells, totals);
		}
		return totals;
	}
	/** Operations with a latency, and misses. */
	var totalOf = (cells) => (running(cells).at(-1) ?? 0) + cells.misses;
	/** Operations that took `timeNs` or longer, misses among them. */
	function atOrOver(cells, timeNs) {
		const { lower_ns, upper_ns, edge_tolerance_ns: tolerance } = cells;
		const totals = running(cells);
		const total = totalOf(cells);
		const pin = tolerance > 0 ? cells.pins.find(([at]) => at === timeNs) : void 0;
		if (pin !== void 0) return {
			lower: pin[1] + cells.misses,
			upper: pin[1] + cells.misses
		};
		const certain = place(upper_ns.length, (at) => (upper_ns[at] ?? Number.POSITIVE_INFINITY) <= timeNs + tolerance);
		const possible = place(lower_ns.length, (at) => (lower_ns[at] ?? 0) < timeNs - tolerance);
		const least = totals[certain] ?? 0;
		return {
			lower: total - Math.max(least, totals[possible] ?? 0),
			upper: total - least
		};
	}
	/** Operations per independent one: exact at exact counters, else the larger of the two nearest places. */
	function factorAt(cells, timeNs) {
		const pinned = cells.pin_factors.find(([at]) => at === timeNs);
		if (pinned !== void 0) return pinned[1];
		const right = place(cells.places_ns.length, (at) => (cells.places_ns[at] ?? 0) < timeNs);
		return Math.max(1, ...cells.factors.slice(Math.max(0, right - 1), right + 1));
	}
	/** The ends of the time that the share `quantile` of the operations keeps; null beyond every latency. */
	function quantileEnds(cells, quantile) {
		const total = totalOf(cells);
		const rank = Math.max(1, rankOf(quantile, total));
		const totals = running(cells);
		const cell = place(cells.counts.length, (at) => (totals[at + 1] ?? 0) < rank);
		if (cell >= cells.counts.length) return [cells.lower_ns.at(-1) ?? 0, null];
		return [cells.lower_ns[cell] ?? 0, cells.upper_ns[cell] ?? null];
	}
	/** The smallest rank whose share of the total reaches a quantile, in exact decimal arithmetic. */
	function rankOf(quantile, total) {
		const [mantissa = "0", exponent = "0"] = String(quantile).split("e");
		const [integer = "0", digits = ""] = mantissa.split(".");
		const scale = 10n ** BigInt(digits.length - Number(exponent));
		const product = BigInt(integer + digits) * BigInt(total);
		return Number((product + scale - 1n) / scale);
	}
	// src/offline/words.ts
	/** In the order in which reasons are tried. */
	var REASONS = [
		"resolution",
		"samples",
		"dependence",
		"duration",
		"generator",
		"metadata"
	];
	var REASON_WORDS = {
		resolution: "buckets too coarse",
		samples: "too few operations",
		dependence: "measured transactions contradict the model",
		duration: "run too short",
		generator: "load generator unreliable",
		metadata: "conditions unknown"
	};
	/** “PASS, proven”, “FAIL in this run”, “Undecided: buckets too coarse”. */
	function wordsOf({ verdict, strength, reason }) {
		if (verdict === "INDETERMINATE") return reason === null ? "Undecided" : `Undecided: ${REASON_WORDS[reason]}`;
		return strength === "proven" ? `${verdict}, proven` : `${verdict} in this run`;
	}
	// src/offline/judge.ts
	var FEWEST_OPERATIONS = 100;
	var LAST_DIGITS = 1e-13;
	var TOLERANCE = 1e-12;
	var LATE_LIMITS_NS = {
		least: 1e3,
		most: 5e9
	};
	var NOTHING_KNOWN = {
		lower: 0,
		upper: 1
	};
	/** Return the answer of a run to limits on the share of slow operations. */
	function judgeLimits(run, asked) {
		if (run.unknown !== "") return nothing("metadata", run.unknown);
		const chosen = operationsOf(run, asked);
		if (typeof chosen === "string") return nothing(asked.operation === "operation" ? "metadata" : "samples", chosen);
		const judged = (cellsOf) => chosen.flatMap((operation) => asked.limits.map((limit) => rowOf(operation, cellsOf(operation), limit)));
		const rows = judged((operation) => operation.cells);
		const lateNs = lateLimit(Math.min(...asked.limits.map((limit) => limit.threshold_ns)));
		const unreliable = chosen.flatMap((operation) => reliabilityOf(operation, lateNs) ?? []);
		const recorded = wholeOf(rows, certified(asked, chosen, false), asked);
		const fails = [...rows, ...recorded.certification ? [{ judgement: recorded.certification }] : []];
		if (unreliable.length === 0 || !fails.some(({ judgement }) => judgement.verdict === "FAIL")) return {
			...recorded,
			words: wordsOf(recorded.judgement),
			rows,
			note: ""
		};
		const best = judged((operation) => operation.best[reliabilityOf(operation, lateNs)?.at_best ?? -1] ?? operation.cells);
		const standing = rows.map((row, at) => ({
			...row,
			judgement: standingOf(row.judgement, best[at]?.judgement)
		}));
		const bestCertified = certified(asked, chosen, true);
		const certification = recorded.certification && standingOf(recorded.certification, bestCertified ?? void 0);
		const { judgement } = wholeOf(standing, certification, asked);
		const fell = recorded.judgement.verdict === "FAIL" && judgement.verdict !== "FAIL";
		const note = `${unreliable[0]?.text ?? ""}${fell ? "; without them this is no FAIL" : ""}`;
		const final = fell && judgement.verdict === "INDETERMINATE" ? {
			...judgement,
			reason: "generator"
		} : judgement;
		return {
			words: wordsOf(final),
			judgement: final,
			certification,
			rows: standing,
			note
		};
	}
	/** The limits together, or the rule over full slices where that decides. */
	function wholeOf(rows, certification, asked) {
		return {
			judgement: certification !== null && asked.certification?.decides === true ? certification : combined(rows.map((row) => row.judgement)),
			certification
		};
	}
	function certified(asked, chosen, isAtBest) {
		const rule = asked.certification;
		if (!rule) return null;
		const slices = isAtBest ? rule.slices_at_best : rule.slices;
		const limits = asked.limits.flatMap((limit) => limit.kind === "exceedance" ? [limit.ratio] : []);
		return combined(chosen.map((operation, at) => {
			const { isTooLittle, isTooMuch } = loadOf(operation);
			return certify(rule, slices[at] ?? [], limits, {
				measuredNs: operation.measured_ns,
				isTooLittle,
				isTooMuch
			});
		}));
	}
	/** Return the operations of a question, or why there are none. */
	function operationsOf(run, asked) {
		const at = (index) => run.operations.slice(index, index + 1);
		let operations;
		if (asked.operation === "*") {
			operations = run.every.flatMap(at).filter((operation) => operation.name !== "transaction");
			const clocks = [
				"response",
				"service",
				"operation",
				"queue"
			];
			const best = /* @__PURE__ */ new Map();
			for (const operation of operations) {
				const before = best.get(operation.name);
				if (before === void 0 || clocks.indexOf(operation.clock) < clocks.indexOf(before.clock)) best.set(operation.name, operation);
			}
			operations = [...best.values()];
		} else {
			const [own] = run.own;
			if (asked.operation === "operation" && run.own.length > 1) return `several operations fit: ${run.own.join(", ")}; name the one that is meant`;
			const name = asked.operation === "operation" ? own ?? asked.operation : asked.operation;
			const index = Object.hasOwn(run.named, name) ? run.named[name] : void 0;
			if (typeof index === "string") return index;
			operations = index === void 0 ? [] : at(index);
		}
		operations = operations.filter((operation) => asked.clock === null || operation.clock === asked.clock);
		const there = [...new Set(run.operations.map((operation) => operation.name))].join(", ");
		return operations.length > 0 ? operations : `no such operation has been measured; there is: ${there || "none"}`;
	}
	function rowOf(operation, cells, limit) {
		const total = totalOf(cells);
		const over = atOrOver(cells, limit.threshold_ns);
		const factor = factorAt(cells, limit.threshold_ns);
		const effective = total / factor;
		const shares = total === 0 ? NOTHING_KNOWN : {
			lower: over.lower / total,
			upper: over.upper / total
		};
		const ratios = total === 0 ? NOTHING_KNOWN : {
			lower: shareLower(over.lower / factor, effective),
			upper: shareUpper(over.upper / factor, effective)
		};
		const inRun = underOf(shares, limit);
		const inNext = around(underOf(ratios, limit), inRun);
		const load = loadOf(operation);
		const undecidedBy = total === 0 ? [{
			reason: "samples",
			without: NOTHING_KNOWN
		}] : shares.lower < shares.upper ? [{
			reason: "resolution",
			without: middleOf(shares)
		}] : [];
		const judgement = judge({
			observed: load.observed(inRun),
			proven: load.proven(inNext),
			objective: limit.kind === "percentile" ? limit.quantile : 1 - limit.ratio,
			undecidedBy: [...undecidedBy.map((cause) => ({
				...cause,
				without: load.observed(cause.without)
			})), ...load.causes(inRun)],
			unprovenBy: [{
				reason: "samples",
				without: load.proven(inRun)
			}, ...load.causesOfProven(inNext)],
			isTooFew: total < FEWEST_OPERATIONS
		});
		return {
			operation: operation.name,
			clock: operation.clock,
			limit,
			over,
			total,
			effective,
			observed: shares,
			proven: {
				lower: Math.min(ratios.lower, shares.lower),
				upper: Math.max(ratios.upper, shares.upper)
			},
			judgement
		};
	}
	function middleOf({ lower, upper }) {
		const middle = 1 - (lower + upper) / 2;
		return {
			lower: middle,
			upper: middle
		};
	}
	/** Shares under the threshold; a share over that equals the limit fails a strict comparison. */
	function underOf(over, limit) {
		const under = (share) => {
			if (limit.kind === "exceedance" && Math.abs(share - limit.ratio) <= LAST_DIGITS) return 1 - limit.ratio - LAST_DIGITS;
			const rest = 1 - share;
			return limit.kind === "percentile" && Math.abs(rest - limit.quantile) <= LAST_DIGITS ? limit.quantile : rest;
		};
		return {
			lower: under(over.upper),
			upper: under(over.lower)
		};
	}
	var around = (a, b) => ({
		lower: Math.min(a.lower, b.lower),
		upper: Math.max(a.upper, b.upper)
	});
	/** What the load of the generator leaves of bounds. */
	function loadOf({ load }) {
		const allowance = Math.max(.01 * (load.intended ?? 0), 8);
		const isTooLittle = load.missing_intervals > 0 || load.fell_behind || load.intended !== null && load.counted < load.intended - allowance;
		const isTooMuch = load.intended !== null && load.counted > load.intended + allowance;
		const observed = ({ lower, upper }) => ({
			lower: isTooLittle || isTooMuch ? 0 : lower,
			upper: isTooMuch || load.missing_intervals > 0 ? 1 : upper
		});
		const causes = (without) => isTooLittle || isTooMuch ? [{
			reason: "generator",
			without
		}] : [];
		return {
			isTooLittle,
			isTooMuch,
			observed,
			causes,
			proven: (bounds) => {
				if (load.is_production) return NOTHING_KNOWN;
				const rest = observed(bounds);
				return load.closed_loop ? {
					...rest,
					lower: 0
				} : rest;
			},
			causesOfProven: (without) => {
				const own = causes(without);
				if (own.length > 0) return own;
				const further = [];
				if (load.is_production) further.push({
					reason: "generator",
					without
				});
				if (load.closed_loop) further.push({
					reason: "generator",
					without
				});
				return further;
			}
		};
	}
	function decide(bounds, objective) {
		if (bounds.lower >= objective) return "PASS";
		return bounds.upper < objective ? "FAIL" : "INDETERMINATE";
	}
	function judge({ observed, proven, objective, undecidedBy, unprovenBy, isTooFew }) {
		const wide = around(proven, observed);
		const inRun = {
			verdict: decide(observed, objective),
			...observed
		};
		const inNext = {
			verdict: decide(wide, objective),
			...wide
		};
		const scopes = {
			observed: inRun,
			proven: inNext
		};
		if (inNext.verdict !== "INDETERMINATE") return {
			verdict: inNext.verdict,
			strength: "proven",
			reason: null,
			...scopes
		};
		if (inRun.verdict === "INDETERMINATE") return {
			verdict: "INDETERMINATE",
			strength: null,
			reason: decisive(undecidedBy, observed, objective),
			...scopes
		};
		if (inRun.verdict === "PASS" && isTooFew) return {
			verdict: "INDETERMINATE",
			strength: null,
			reason: "samples",
			observed: {
				...inRun,
				verdict: "INDETERMINATE"
			},
			proven: inNext
		};
		decisive(unprovenBy, wide, objective);
		return {
			verdict: inRun.verdict,
			strength: "observed",
			reason: null,
			...scopes
		};
	}
	/** The reason of the first cause whose removal decides; else that of the generator, else of what narrows, else of the first. */
	function decisive(causes, bounds, objective) {
		const ranked = [...causes].sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason));
		const deciding = ranked.find((cause) => decide(cause.without, objective) !== "INDETERMINATE");
		const generator = ranked.find((cause) => cause.reason === "generator");
		const narrowing = ranked.find(({ without }) => without.lower > bounds.lower + TOLERANCE || without.upper < bounds.upper - TOLERANCE);
		return (deciding ?? generator ?? narrowing ?? ranked[0])?.reason ?? null;
	}
	/** All demands must be met: the words and bounds are those of the deciding one. */
	function combined(judgements) {
		const rank = ({ verdict, strength, reason }) => {
			if (verdict === "FAIL") return strength === "proven" ? 0 : 100;
			if (verdict === "INDETERMINATE") return 200 + (reason === null ? -1 : REASONS.indexOf(reason));
			return strength === "observed" ? 300 : 400;
		};
		const [first, ...others] = judgements;
		if (first === void 0) throw new Error("a question has at least one limit");
		const leading = others.reduce((best, other) => rank(other) < rank(best) ? other : best, first);
		const allOf = (words) => words.includes("FAIL") ? "FAIL" : words.includes("INDETERMINATE") ? "INDETERMINATE" : "PASS";
		return {
			...leading,
			observed: {
				...leading.observed,
				verdict: allOf(judgements.map(({ observed }) => observed.verdict))
			},
			proven: {
				...leading.proven,
				verdict: allOf(judgements.map(({ proven }) => proven.verdict))
			}
		};
	}
	/** The lateness that a question tolerates: a tenth of its time, rounded down to 1, 2 or 5. */
	function lateLimit(thresholdNs) {
		const tenth = Math.max(1, Math.floor(thresholdNs / 10));
		const decade = 10 ** (String(tenth).length - 1);
		const limit = Math.max(...[
			1,
			2,
			5
		].map((step) => step * decade).filter((step) => step <= tenth));
		return Math.min(Math.max(limit, LATE_LIMITS_NS.least), LATE_LIMITS_NS.most);
	}
	var reliabilityOf = (operation, lateNs) => operation.reliability.find(({ limit_ns, at_best }) => limit_ns === lateNs && at_best !== null);
	/** A FAIL remains where it is also one with every unreliable slice at its best. */
	function standingOf(recorded, best) {
		if (recorded.verdict !== "FAIL" || best === void 0) return recorded;
		const observed = standingScope(recorded.observed, best.observed);
		const proven = standingScope(recorded.proven, best.proven);
		if (observed.verdict !== "FAIL") return {
			verdict: "INDETERMINATE",
			strength: null,
			reason: "generator",
			observed,
			proven
		};
		const strength = recorded.strength === "proven" && proven.verdict !== "FAIL" ? "observed" : recorded.strength;
		return {
			...recorded,
			strength,
			observed,
			proven
		};
	}
	function standingScope(recorded, best) {
		const ends = (side, pick) => {
			const [a, b] = [recorded[side], best[side]];
			return a === null || b === null ? a : pick(a, b);
		};
		return {
			verdict: recorded.verdict === "FAIL" && best.verdict !== "FAIL" ? "INDETERMINATE" : recorded.verdict,
			lower: ends("lower", Math.min),
			upper: ends("upper", Math.max)
		};
	}
	function nothing(reason, note) {
		const scope = {
			verdict: "INDETERMINATE",
			lower: null,
			upper: null
		};
		const judgement = {
			verdict: "INDETERMINATE",
			strength: null,
			reason,
			observed: scope,
			proven: scope
		};
		return {
			words: wordsOf(judgement),
			judgement,
			certification: null,
			rows: [],
			note
		};
	}
	// src/offline/again.ts
	/** Return a stored verdict, and whether the counts in the page give the same. */
	function againOf(run, stored) {
		const strength = stored.words.endsWith("proven") ? "proven" : stored.words.startsWith("Undecided") ? "" : "observed";
		const shown = {
			words: stored.words,
			verdict: stored.observed.verdict,
			strength
		};
		const verdict = stored.words.startsWith("Undecided") ? "INDETERMINATE" : stored.words.slice(0, 4);
		if (stored.limits_question === null) return {
			...shown,
			verdict,
			answer: null,
			sameness: {
				isSame: null,
				text: "As judged when the page was made; tailroom verify works it out again."
			}
		};
		const answer = judgeLimits(run, stored.limits_question);
		const showsLate = stored.limits_question.limits.some(({ kind }) => kind === "exceedance");
		const differences = [
			...answer.words === stored.words ? [] : [answer.words],
			...differing(answer.judgement.observed, stored, "observed", showsLate),
			...differing(answer.judgement.proven, stored, "proven", showsLate)
		];
		const isSame = differences.length === 0;
		const text = isSame ? "Worked out again here from the counts in this page: the same verdict and the same bounds." : `Worked out again here, and it differs: ${differences.join("; ")}.`;
		return {
			...shown,
			verdict,
			answer,
			sameness: {
				isSame,
				text
			}
		};
	}
	/** Bounds of this run are counts and must be equal in every bit; those for the next run in every digit that is printed. */
	function differing(worked, stored, name, showsLate) {
		const before = stored[name];
		const here = showsLate ? restOf(worked) : worked;
		if (here.verdict !== before.verdict) return [`${name} ${here.verdict}`];
		if (here.lower === null || here.upper === null || before.lower === null || before.upper === null) return here.lower === before.lower && here.upper === before.upper ? [] : [`${name} bounds`];
		if (name === "observed" && here.lower === before.lower && here.upper === before.upper) return [];
		const text = ({ lower, upper }) => shareText(lower ?? 0, upper ?? 1, { limit: stored.asked });
		return name === "proven" && text(here) === text(before) ? [] : [`${name} ${text(here)} for ${text(before)}`];
	}
	var restOf = ({ verdict, lower, upper }) => ({
		verdict,
		lower: upper === null ? null : 1 - upper,
		upper: lower === null ? null : 1 - lower
	});
	// src/offline/elements.ts
	function element(name, attributes, ...children) {
		const made = document.createElement(name);
		for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
		made.append(...children);
		return made;
	}
	function drawing(name, attributes, ...children) {
		const made = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
		made.append(...children);
		return made;
	}
	/** A table whose first column names its rows. */
	function table(heads, rows) {
		const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
		const body = rows.map(([name = "", ...cells]) => element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((text) => element("td", {}, text))));
		return element("div", {
			class: "scroll",
			tabindex: 0
		}, element("table", {}, ...heads.length > 0 ? [element("thead", {}, head)] : [], element("tbody", {}, ...body)));
	}
	// src/offline/course.ts
	var WIDTH = 800;
	var HEIGHT = 260;
	var LEFT = 64;
	var COLOURS = [
		"#0b5cad",
		"#00664a",
		"#a33a00"
	];
	/** A stretch is never shorter than so many pieces. */
	var FEWEST_PIECES = 4;
	/** Return the drawing with its buttons. */
	function courseOf(course, name) {
		const size = course.start_ns.length;
		let shown = {
			from: 0,
			to: size
		};
		const picture = element("div", {});
		const said = element("p", {
			class: "soft",
			role: "status"
		});
		const show = (from, to) => {
			const length = Math.min(size, Math.max(FEWEST_PIECES, Math.round(to - from)));
			const first = Math.min(Math.max(0, Math.round(from)), size - length);
			shown = {
				from: first,
				to: first + length
			};
			picture.replaceChildren(drawn(course, shown, name, show));
			said.textContent = `${textAt(course, shown.from)} to ${textAt(course, shown.to)}`;
			whole.disabled = length === size;
			out.disabled = length === size;
			closer.disabled = length <= FEWEST_PIECES;
			earlier.disabled = shown.from === 0;
			later.disabled = shown.to === size;
		};
		const button = (text, act) => {
			const made = element("button", { type: "button" }, text);
			made.addEventListener("click", act);
			return made;
		};
		const scaled = (factor) => {
			const middle = (shown.from + shown.to) / 2;
			const half = (shown.to - shown.from) * factor / 2;
			show(middle - half, middle + half);
		};
		const moved = (share) => {
			const by = (shown.to - shown.from) * share;
			show(shown.from + by, shown.to + by);
		};
		const closer = button("Zoom in", () => scaled(.5));
		const out = button("Zoom out", () => scaled(2));
		const earlier = button("Earlier", () => moved(-.5));
		const later = button("Later", () => moved(.5));
		const whole = button("Whole run", () => show(0, size));
		const buttons = element("p", { class: "buttons" }, closer, out, earlier, later, whole);
		show(0, size);
		return element("figure", { "aria-label": `Course of ${name}` }, picture, said, buttons);
	}
	var textAt = (course, piece) => {
		const last = course.start_ns.length - 1;
		const at = piece > last ? (course.start_ns[last] ?? 0) + (course.duration_ns[last] ?? 0) : course.start_ns[piece] ?? 0;
		return at === 0 ? "the beginning" : formatSpan(nanoseconds(at));
	};
	function drawn(course, { from, to }, name, show) {
		const lines = course.quantiles.map((line) => ({
			quantile: line.quantile,
			lower: line.lower_ns.slice(from, to),
			upper: line.upper_ns.slice(from, to)
		}));
		const seen = lines.flatMap(({ lower, upper }) => [...lower, ...upper]).filter((at) => at !== null && at > 0);
		const bottom = Math.log10(Math.max(1, Math.min(...seen)));
		const top = Math.max(bottom + .1, Math.log10(Math.max(1, ...seen)));
		const x = (piece) => LEFT + 736 * piece / (to - from);
		const y = (at) => 232 * (1 - (Math.log10(Math.max(1, at)) - bottom) / (top - bottom)) + 2;
		const svg = drawing("svg", {
			viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
			role: "img",
			class: "course"
		});
		svg.append(drawing("title", {}, `${name}: ${lines.map(({ quantile }) => `${formatQuantile(quantile)}`).join(", ")}`));
		for (const level of [
			bottom,
			(bottom + top) / 2,
			top
		]) {
			const at = 10 ** level;
			svg.append(drawing("line", {
				x1: LEFT,
				x2: WIDTH,
				y1: y(at),
				y2: y(at),
				stroke: "#e4e8ec"
			}), drawing("text", {
				x: 58,
				y: Math.max(12, y(at) + 4),
				"text-anchor": "end"
			}, formatLatency(nanoseconds(at))));
		}
		for (const [line, { quantile, lower, upper }] of lines.entries()) {
			const colour = COLOURS[line] ?? "#11161c";
			const path = lower.map((low, piece) => {
				if (low === null) return "";
				const high = upper[piece] ?? 10 ** top;
				const [x0, x1, y0, y1] = [
					x(piece),
					x(piece + 1),
					y(low),
					Math.min(y(high), y(low) - 1)
				];
				return `M${x0.toFixed(1)} ${y0.toFixed(1)}H${x1.toFixed(1)}V${y1.toFixed(1)}H${x0.toFixed(1)}Z`;
			}).join("");
			svg.append(drawing("path", {
				d: path,
				fill: colour
			}, drawing("title", {}, `${formatQuantile(quantile)}`)));
			svg.append(drawing("text", {
				x: LEFT + 60 * line,
				y: 254,
				style: `fill: ${colour}`
			}, `${formatQuantile(quantile)}`));
		}
		dragged(svg, (share) => from + Math.max(0, (share * WIDTH - LEFT) / 736) * (to - from), show);
		return svg;
	}
	/** Dragging over a stretch shows it alone. */
	function dragged(svg, pieceAt, show) {
		const shareOf = (event) => {
			const box = svg.getBoundingClientRect();
			return (event.clientX - box.left) / box.width;
		};
		let began = null;
		svg.addEventListener("pointerdown", (event) => {
			began = shareOf(event);
		});
		svg.addEventListener("pointerup", (event) => {
			const ended = shareOf(event);
			if (began !== null && Math.abs(ended - began) > .02) show(pieceAt(Math.min(began, ended)), pieceAt(Math.max(began, ended)));
			began = null;
		});
	}
	// src/offline/evidence.ts
	/** Return the evidence of a page: deflated JSON in base64. */
	async function unpack(text) {
		const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
		return JSON.parse(await new Response(stream).text());
	}
	// src/offline/question.ts
	var SHARE = /^\s*(?:p\s?(\d{1,3}(?:\.\d{1,13})?)(?:\s*%)?|(\d{1,3}(?:\.\d{1,13})?)\s*%)(?:\s+of\b)?\s*/i;
	var OPERATION = /^(?!\d)[^\s<≤=>%]+(?: (?!\d)[^\s<≤=>%]+)*/;
	var HOW = "Write it as p99 read < 1ms, 99.9% get < 10ms or p99.9 < 5ms.";
	/** Return the question of a text, or a sentence that says what is missing. */
	function questionOf(text) {
		const share = SHARE.exec(text);
		const digits = share?.[1] ?? share?.[2];
		if (share === null || digits === void 0) return `A share comes first, such as p99 or 99.9%. ${HOW}`;
		const quantile = shareOf(digits);
		if (!(quantile > 0 && quantile < 1)) return `A share lies between 0 and 100\u00a0%. ${HOW}`;
		let rest = text.slice(share[0].length);
		const operation = OPERATION.exec(rest)?.[0] ?? "";
		rest = rest.slice(operation.length).trimStart();
		const comparison = /^(<=|≤|<)/.exec(rest)?.[0];
		if (comparison === void 0) return `< and a time are missing. ${HOW}`;
		const time = durationOf(rest.slice(comparison.length).trim());
		if (typeof time === "string") return `${time} ${HOW}`;
		const thresholdNs = comparison === "<" ? time : time + 1;
		return {
			operation: operation || "operation",
			clock: null,
			limits: [{
				kind: "percentile",
				threshold_ns: thresholdNs,
				quantile
			}]
		};
	}
	/** 99.9 as 0.999: the point is moved in the digits, because a division would leave another number. */
	function shareOf(percent) {
		const [integer = "0", fraction = ""] = percent.split(".");
		return Number(`${integer}${fraction}e-${fraction.length + 2}`);
	}
	var UNITS_NS = {
		ns: 1n,
		us: 1000n,
		µs: 1000n,
		μs: 1000n,
		ms: 1000000n,
		s: 1000000000n,
		min: 60000000000n,
		h: 3600000000000n,
		d: 86400000000000n
	};
	/** Whole nanoseconds, or a sentence. */
	function durationOf(text) {
		const [, integer = "", fraction = "", unit = ""] = /^(\d{1,18})(?:\.(\d{1,12}))?\s*(ns|us|µs|μs|ms|s|min|h|d)$/.exec(text) ?? [];
		const unitNs = UNITS_NS[unit];
		if (unitNs === void 0) return "A time has a unit, such as 10ms or 250us.";
		const scale = 10n ** BigInt(fraction.length);
		const scaled = BigInt(integer + fraction) * unitNs;
		const time = Number(scaled / scale);
		if (scaled % scale !== 0n || !Number.isSafeInteger(time)) return "Times are whole nanoseconds, at most 104 days.";
		return time > 0 ? time : "The time must be more than 0.";
	}
	// src/offline/main.ts
	var QUANTILES = [
		.5,
		.9,
		.99,
		.999,
		.9999,
		.99999
	];
	async function begin() {
		const page = document.getElementById("page");
		const packed = document.getElementById("evidence")?.textContent;
		if (page === null || !packed) return;
		try {
			const evidence = await unpack(packed);
			page.append(...introduction(evidence));
			for (const run of evidence.runs) page.append(...sectionsOf(run, evidence.runs.length > 1));
			page.append(...origin(evidence));
		} catch (error) {
			page.append(element("p", { role: "alert" }, `The evidence in this page cannot be read: ${String(error)}`));
		}
	}
	function introduction(evidence) {
		return [element("p", { class: "made" }, `Made ${evidence.made_at.slice(0, 16).replace("T", " ")} UTC by Tailroom ${evidence.tailroom_version}, method ${evidence.method_version}.`)];
	}
	function sectionsOf(run, hasTitle) {
		return [
			...hasTitle ? [element("h2", { class: "subject" }, run.title)] : [],
			element("section", { "aria-label": "Verdicts" }, ...run.verdicts.map((verdict) => verdictOf(run, verdict))),
			asking(run),
			element("h2", {}, "Percentiles"),
			percentiles(run),
			...run.operations.flatMap((operation) => operation.course === null ? [] : [element("h2", {}, `Over time: ${nameOf(operation)}`), courseOf(operation.course, nameOf(operation))]),
			element("h2", {}, "What was measured"),
			table([], run.facts)
		];
	}
	function verdictOf(run, stored) {
		const { words, verdict, strength, answer, sameness } = againOf(run, stored);
		return element("article", {
			class: "answer",
			"data-verdict": verdict,
			"data-strength": strength
		}, element("p", { class: "question" }, stored.question || stored.title), element("p", { class: "sign" }, words), element("p", { class: "sentence" }, sentence(stored.headline)), element("p", {}, sentence(stored.reason_text)), element("p", {}, scopes(stored.observed, stored.proven, stored.asked, stored.is_counted)), element("p", {
			class: "worked",
			"data-same": String(sameness.isSame)
		}, sameness.text), ...answer === null || answer.rows.length === 0 ? [] : [limitTable(answer.rows)]);
	}
	function scopes(observed, proven, asked, isCounted) {
		const one = (scope) => {
			const word = scope.verdict === "INDETERMINATE" ? "undecided" : scope.verdict;
			if (scope.lower === null || scope.upper === null) return word;
			return `${word}: ${shareText(scope.lower, scope.upper, {
				limit: asked,
				counted: isCounted
			})}`;
		};
		return `This run ${one(observed)} · for the next run ${one(proven)}`;
	}
	function asking(run) {
		const field = element("input", {
			name: "question",
			placeholder: "p99 read < 1ms",
			autocomplete: "off"
		});
		const place = element("div", { role: "status" });
		const form = element("form", { "aria-label": `Ask ${run.title}` }, element("label", {}, "Question", field), element("button", { type: "submit" }, "Answer"));
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			const question = questionOf(field.value);
			if (typeof question === "string") place.replaceChildren(element("p", { role: "alert" }, question));
			else place.replaceChildren(answerOf(judgeLimits(run, question)));
		});
		const there = [...new Set(run.operations.map(({ name }) => name))].join(", ");
		return element("section", {}, element("h2", {}, "Ask it something else"), element("p", { class: "soft" }, `A share, an operation (${there || "none is counted"}) and a time: p99.9 < 5ms, 99.9% read < 1ms.`), form, place);
	}
	function answerOf(answer) {
		const { judgement, rows, note } = answer;
		const [row] = rows;
		const asked = row?.limit.kind === "percentile" ? row.limit.quantile : null;
		return element("article", {
			class: "answer",
			"data-verdict": judgement.verdict,
			"data-strength": judgement.strength ?? ""
		}, element("p", { class: "sign" }, answer.words), element("p", {}, scopes(judgement.observed, judgement.proven, asked, true)), ...digits(judgement), ...note ? [element("p", {}, sentence(note))] : [], ...rows.length > 0 ? [limitTable(rows)] : []);
	}
	/** Every digit of the bounds, for programs that read the page. */
	var digits = ({ observed, proven }) => Object.entries({
		observed,
		proven
	}).flatMap(([name, scope]) => ["lower", "upper"].map((side) => element("data", {
		class: `${name}-${side}`,
		value: scope[side] === null ? "" : String(scope[side])
	})));
	function limitTable(rows) {
		return table([
			"Limit",
			"Took so long or longer",
			"Share",
			"With 95\xA0% confidence"
		], rows.map(({ operation, clock, limit, over, total, effective, observed, proven }) => {
			const allowed = limit.kind === "exceedance" ? limit.ratio : 1 - limit.quantile;
			const counts = over.lower === over.upper ? formatInteger(over.lower) : `${formatInteger(over.lower)} to ${formatInteger(over.upper)}`;
			const worth = effective < total ? `, worth ${formatCount(effective)} independent ones` : "";
			return [
				`${operation}, ${clock} time: ${formatLatency(nanoseconds(limit.threshold_ns))}`,
				`${counts} of ${formatInteger(total)}${worth}`,
				shareText(observed.lower, observed.upper, { limit: allowed }),
				shareText(proven.lower, proven.upper, { limit: allowed })
			];
		}));
	}
	function percentiles(run) {
		return table([
			"Operation",
			"Operations",
			...QUANTILES.map((quantile) => formatQuantile(quantile))
		], run.operations.map((operation) => [
			nameOf(operation),
			formatInteger(totalOf(operation.cells)),
			...QUANTILES.map((quantile) => {
				if (totalOf(operation.cells) * (1 - quantile) < 1) return "—";
				const [lower, upper] = quantileEnds(operation.cells, quantile);
				return upper === null ? `at least ${formatLatency(nanoseconds(lower), "down")}` : formatLatencyInterval(nanoseconds(lower), nanoseconds(upper));
			})
		]));
	}
	var nameOf = ({ name, clock }) => `${name}, ${clock} time`;
	function origin(evidence) {
		const rows = evidence.files.map(({ name, sha256, bytes }) => [
			name,
			`${formatInteger(bytes)} bytes`,
			sha256
		]);
		return [
			element("h2", {}, "What this page shows by itself"),
			element("p", {}, "Limits on the share of slow operations are judged here from the counts in the page. How far slow operations come together was computed from every slice of the files when the page was made. Verdicts on transactions and rates are shown as they were judged then. Against the files themselves, tailroom verify works out everything in their evidence pack."),
			table([
				"File",
				"Size",
				"SHA-256"
			], rows)
		];
	}
	if (typeof document !== "undefined") begin();
	var limitsOf = (over, total) => [shareLower(over, total), shareUpper(over, total)];
	exports.againOf = againOf;
	exports.judgeLimits = judgeLimits;
	exports.limitsOf = limitsOf;
	exports.questionOf = questionOf;
	return exports;
})({});
