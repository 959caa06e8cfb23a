// Generated from frontend/src/offline by `npm run offline -w frontend`. Do not edit.
var offline = (function(exports) {
	Object.defineProperty(exports, Symbol.toStringTag, { value: "Module" });
	// src/lib/rounding.ts
	var MAX_DECIMALS = 20;
	/** Returns the non-negative number of decimals that shows `value` with `digits` significant figures. */
	function decimalsFor(value, digits = 3) {
		if (value === 0 || !Number.isFinite(value)) return 0;
		const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-12);
		return Math.min(MAX_DECIMALS, Math.max(0, digits - 1 - exponent));
	}
	/** Rounds to `decimals` places in `direction`. Values within double precision of a round number count as round. */
	function roundAt(value, decimals, direction) {
		const scale = 10 ** decimals;
		const scaled = Number((value * scale).toPrecision(15));
		return (direction === "down" ? Math.floor(scaled) : direction === "up" ? Math.ceil(scaled) : Math.round(scaled)) / scale;
	}
	/** Formats with `digits` significant figures: 1.28, 59.4, 612, 0.00410. Digits before the point are never dropped. */
	function toFigures(value, direction = "nearest", digits = 3) {
		if (value === 0) return "0";
		let decimals = decimalsFor(value, digits);
		const rounded = roundAt(value, decimals, direction);
		const carried = decimalsFor(rounded, digits);
		if (carried < decimals && rounded !== 0) decimals = carried;
		return rounded.toFixed(decimals);
	}
	// src/lib/shares.ts
	/** Shares that differ by no more than this are equal. */
	var EXACT = 1e-12;
	var LEAST_SHOWN = 1e-5;
	var MOST_DECIMALS = 12;
	/** The no-break space keeps number and sign on one line. */
	var PER_CENT = "\xA0%";
	var power = (exponent) => 10n ** BigInt(exponent);
	/** Returns a non-negative share in per cent, as the shortest decimal that parses to the same double. */
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
	/** Returns the exponent of the leading digit: 1 for 12.5, -2 for 0.04. */
	var leadingOf = ({ digits, decimals }) => String(digits).length - 1 - decimals;
	/** Returns the value rounded to `to` decimals; ties round to even. */
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
	/** Returns the sign of `a - b`. */
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
	/** Returns the share in per cent without binary rounding noise, and the exponent of its leading digit. */
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
	/** Formats one bound in per cent with two digits of the smaller part, more if needed to stay beside `limit`. */
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
	/** Returns bounds such as `1.9–2.1 %` or `99.38–99.964 %`, rounded outward, with two digits of the smaller part. */
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
	// src/lib/format.ts
	var NS_PER_SECOND = 1e9;
	/** No-break space: keeps number and unit on one line. */
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
	/** Returns the unit that leaves one to three digits before the decimal point; seconds for anything larger. */
	var unitOf = (value) => LATENCY_UNITS.findLast(({ size }) => Math.abs(value) >= size) ?? LATENCY_UNITS[0];
	/** Returns whether a latency is an edge of power-of-two microsecond buckets. Such edges are printed exactly. */
	var isPowerOfTwoEdge = (value) => value >= 1e6 && Number.isInteger(Math.log2(value / 1e3));
	/** Formats a latency: `1.28 ms`; 999.6 µs becomes `1.00 ms`. Power-of-two bucket edges keep all digits: `8.192 ms`. */
	function formatLatency(value, direction = "nearest") {
		if (value === 0) return `0${NBSP}s`;
		if (isPowerOfTwoEdge(value)) return formatExactLatency(value);
		const unit = unitOf(value);
		const decimals = decimalsFor(value / unit.size);
		const rounded = roundAt(value / unit.size, decimals, direction);
		if (Math.abs(rounded) >= 1e3 && unit.name !== "s") {
			const next = unitOf(unit.size * 1e3);
			return `${toFigures(rounded / 1e3, direction)}${NBSP}${next.name}`;
		}
		return `${toFigures(value / unit.size, direction)}${NBSP}${unit.name}`;
	}
	/** Formats two bounds in one unit, rounded outward: `612–640 ms`. Equal bounds give a single number. */
	function formatLatencyInterval(lower, upper) {
		if (lower === upper) return formatLatency(lower);
		const unit = unitOf(upper);
		const low = lower / unit.size;
		if (lower !== 0 && Math.abs(low) < .01) return `${formatLatency(lower, "down")}–${formatLatency(upper, "up")}`;
		const [from, to] = [figuresIn(unit, lower, "down"), figuresIn(unit, upper, "up")];
		return from === to ? `${from}${NBSP}${unit.name}` : `${from}–${to}${NBSP}${unit.name}`;
	}
	var figuresIn = (unit, value, direction) => isPowerOfTwoEdge(value) ? exactFigures(value / unit.size) : toFigures(value / unit.size, direction);
	var SI = [
		"",
		"k",
		"M",
		"G",
		"T"
	];
	/** Formats a count with three significant figures: `59.4k`. Integers below 1,000 are unchanged. */
	function formatCount(value, direction = "nearest") {
		if (Number.isInteger(value) && Math.abs(value) < 1e3) return String(value);
		let step = Math.min(SI.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value)) / 3)));
		if (Math.abs(roundAt(value / 1e3 ** step, decimalsFor(value / 1e3 ** step), direction)) >= 1e3 && step < 4) step += 1;
		return `${toFigures(value / 1e3 ** step, direction)}${SI[step]}`;
	}
	new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });
	var WHOLE = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
	/** Formats all digits of a number, grouped: `60,012`. */
	var formatInteger = (value) => WHOLE.format(value);
	/** Formats a quantile with three significant figures of `1 - quantile`: `99.791 %`, `50.0 %`. Not for bounds. */
	function formatQuantile(quantile) {
		const beyond = 1 - quantile;
		const decimals = beyond <= 0 ? 0 : Math.min(10, Math.max(1, Math.ceil(-Math.log10(beyond * 100) - 1e-6) + 2));
		return `${roundAt(quantile * 100, decimals, "down").toFixed(decimals)}${NBSP}%`;
	}
	/** Formats a threshold with all its digits: 1 ms, 64 ms, 1 s, 1.5 s. */
	function formatExactLatency(value) {
		const unit = unitOf(value);
		return `${exactFigures(value / unit.size)}${NBSP}${unit.name}`;
	}
	var exactFigures = (value) => String(Number(value.toPrecision(12)));
	/** Formats a share in per cent with up to 12 significant figures, for tooltips. */
	var exactPercent = (value) => `${String(Number((value * 100).toPrecision(12)))}${NBSP}%`;
	/** Formats a duration with at most two units: `30 s`, `10 min`, `23 h 36 min`; days from two days on: `2 d 4 h`. */
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
	/** A file or setting name at the start of a clause. Its case must not change. */
	var NAME = /^[^\s]*[._/=\d][^\s]*[a-z\d](?=\s|:|,|$)/;
	/** Capitalises a clause as a sentence, except for a leading file or setting name: `pgl.5494 ends …` is unchanged. */
	var sentence = (text) => NAME.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
	// src/offline/confidence.ts
	var ERROR_ONE_SIDED$1 = .05;
	var HALF_LOG_TWO_PI = .9189385332046727;
	var TINY = 1e-300;
	var MOST_STEPS = 2e5;
	/** Returns ln Γ(z + 1) − ((z + ½) ln z − z + ½ ln 2π), by Stirling's series from 16 on. */
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
	/** Returns x ln(x / mean) + mean − x without cancellation for close values. `away` is x − mean at full precision. */
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
	/** Returns a − (a + b) x, with y = 1 − x. Uses the smaller of x and y, since the larger has lost its last digits. */
	var awayFromMean = (x, y, a, b) => x <= y ? a - (a + b) * x : (a + b) * y - b;
	/** Returns x^a (1 − x)^b / B(a, b), with y = 1 − x. */
	function density(x, y, a, b) {
		const n = a + b;
		const away = awayFromMean(x, y, a, b);
		const exponent = stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n * x, away) - deviance(b, n * y, -away);
		return Math.sqrt(a * b / (2 * Math.PI * n)) * Math.exp(exponent);
	}
	/**
	* Returns the continued fraction of the incomplete beta function by Lentz' method. `below` = a − (a + b) x measures the
	* distance from the mean. For x below the mean all terms are positive, so no digits are lost.
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
	/** Returns the incomplete beta function at x, and its complement. */
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
	/** Returns the x below which the beta distribution has the probability `chance`; above which, with `isAbove`. */
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
	/** Returns the one-sided upper limit of a share: `over` of `total` effective samples. */
	var shareUpper = (over, total) => over >= total ? 1 : inverse(over + 1, total - over, ERROR_ONE_SIDED$1, true);
	/** Returns the one-sided lower limit of a share. */
	var shareLower = (over, total) => over <= 0 ? 0 : inverse(over, total - over + 1, ERROR_ONE_SIDED$1, false);
	// src/offline/counts.ts
	/** Returns the first index at which `isBefore` is false, by binary search. `isBefore` must be monotonic. */
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
	/** Returns the number of operations with a latency plus the misses. */
	var totalOf = (cells) => (running(cells).at(-1) ?? 0) + cells.misses;
	/** Returns bounds on the number of operations that took `timeNs` or longer, misses included. */
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
	/** Returns the operations per independent operation: exact at pinned times, else the larger of two neighbours. */
	function factorAt(cells, timeNs) {
		const pinned = cells.pin_factors.find(([at]) => at === timeNs);
		if (pinned !== void 0) return pinned[1];
		const right = place(cells.places_ns.length, (at) => (cells.places_ns[at] ?? 0) < timeNs);
		return Math.max(1, ...cells.factors.slice(Math.max(0, right - 1), right + 1));
	}
	/** Returns the bounds of a quantile in nanoseconds. The upper bound is `null` beyond all latencies. */
	function quantileEnds(cells, quantile) {
		const total = totalOf(cells);
		const rank = Math.max(1, rankOf(quantile, total));
		const totals = running(cells);
		const cell = place(cells.counts.length, (at) => (totals[at + 1] ?? 0) < rank);
		if (cell >= cells.counts.length) return [cells.lower_ns.at(-1) ?? 0, null];
		return [cells.lower_ns[cell] ?? 0, cells.upper_ns[cell] ?? null];
	}
	/** Returns the smallest rank whose share of `total` reaches `quantile`, in exact decimal arithmetic. */
	function rankOf(quantile, total) {
		const [mantissa = "0", exponent = "0"] = String(quantile).split("e");
		const [integer = "0", digits = ""] = mantissa.split(".");
		const scale = 10n ** BigInt(digits.length - Number(exponent));
		const product = BigInt(integer + digits) * BigInt(total);
		return Number((product + scale - 1n) / scale);
	}
	// src/offline/words.ts
	/** Reasons in the order in which they are tried. */
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
	/** Returns “PASS, proven”, “FAIL in this run” or “Undecided: buckets too coarse”. */
	function wordsOf({ verdict, strength, reason }) {
		if (verdict === "INDETERMINATE") return reason === null ? "Undecided" : `Undecided: ${REASON_WORDS[reason]}`;
		return strength === "proven" ? `${verdict}, proven` : `${verdict} in this run`;
	}
	// src/offline/judgement.ts
	var TOLERANCE = 1e-12;
	var LATE_LIMITS_NS = {
		least: 1e3,
		most: 5e9
	};
	var NOTHING_KNOWN = {
		lower: 0,
		upper: 1
	};
	var around = (a, b) => ({
		lower: Math.min(a.lower, b.lower),
		upper: Math.max(a.upper, b.upper)
	});
	/** Returns the effect of the load generator, with functions that widen bounds by it. */
	function loadOf({ load }) {
		const allowance = Math.max(.01 * (load.intended ?? 0), 8);
		const isTooLittle = load.missing_intervals > 0 || load.fell_behind || load.intended !== null && load.counted < load.intended - allowance;
		const isTooMuch = load.intended !== null && load.counted > load.intended + allowance;
		const observed = ({ lower, upper }) => ({
			lower: isTooLittle || isTooMuch ? 0 : lower,
			upper: isTooMuch || load.missing_intervals > 0 ? 1 : upper
		});
		return {
			isTooLittle,
			isTooMuch,
			observed,
			proven: (bounds) => {
				if (load.is_production) return NOTHING_KNOWN;
				const rest = observed(bounds);
				return load.closed_loop ? {
					...rest,
					lower: 0
				} : rest;
			}
		};
	}
	function decide(bounds, objective) {
		if (bounds.lower >= objective) return "PASS";
		return bounds.upper < objective ? "FAIL" : "INDETERMINATE";
	}
	function judge(load, question) {
		const { objective, causes } = question;
		const bounds = load.observed(question.inRun);
		const wide = around(load.proven(question.inNext), bounds);
		const inRun = {
			verdict: decide(bounds, objective),
			...bounds
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
		if (inRun.verdict === "INDETERMINATE") {
			const all = causes.map((cause) => ({
				...cause,
				without: load.observed(cause.without)
			}));
			if (load.isTooLittle || load.isTooMuch) all.push({
				reason: "generator",
				without: question.inRun
			});
			return {
				verdict: "INDETERMINATE",
				strength: null,
				reason: decisive(all, bounds, objective),
				...scopes
			};
		}
		if (inRun.verdict === "PASS" && question.isTooFew) return {
			verdict: "INDETERMINATE",
			strength: null,
			reason: "samples",
			observed: {
				...inRun,
				verdict: "INDETERMINATE"
			},
			proven: inNext
		};
		return {
			verdict: inRun.verdict,
			strength: "observed",
			reason: null,
			...scopes
		};
	}
	/** Returns the reason of the first cause whose removal decides; else the generator, or a cause that narrows. */
	function decisive(causes, bounds, objective) {
		const ranked = [...causes].sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason));
		const deciding = ranked.find((cause) => decide(cause.without, objective) !== "INDETERMINATE");
		const generator = ranked.find((cause) => cause.reason === "generator");
		const narrowing = ranked.find(({ without }) => without.lower > bounds.lower + TOLERANCE || without.upper < bounds.upper - TOLERANCE);
		return (deciding ?? generator ?? narrowing ?? ranked[0])?.reason ?? null;
	}
	/** Combines demands that must all be met. Words and bounds are those of the deciding judgement. */
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
	/** Returns the tolerated lateness in nanoseconds: a tenth of the time, rounded down to 1, 2 or 5 × 10ⁿ. */
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
	/** Returns the judgement. A FAIL becomes undecided unless it is also a FAIL with every unreliable slice at its best. */
	function standingOf(recorded, best) {
		if (recorded.verdict !== "FAIL" || !best) return recorded;
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
	var NO_BOUNDS = {
		lower: null,
		upper: null
	};
	/** Returns a verdict on this run only: no amount of its data would prove it for the next run. */
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
	/** Returns an undecided judgement without bounds. */
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
	// src/offline/judge.ts
	var LAST_DIGITS$1 = 1e-13;
	/** Judges a run by limits on the share of slow operations. */
	function judgeLimits(run, question) {
		if (run.unknown !== "") return noAnswer("metadata", run.unknown);
		const chosen = operationsOf(run, question);
		if (typeof chosen === "string") return noAnswer(question.operation === "operation" ? "metadata" : "samples", chosen);
		const judged = (cellsOf) => chosen.flatMap((operation) => question.limits.map((limit) => rowOf(operation, cellsOf(operation), limit)));
		const rows = judged((operation) => operation.cells);
		const lateNs = lateLimit(Math.min(...question.limits.map((limit) => limit.threshold_ns)));
		const unreliable = chosen.flatMap((operation) => reliabilityOf(operation, lateNs) ?? []);
		const certification = certified(question, chosen, false);
		const recorded = wholeOf$1(rows, certification, question);
		const fails = [...rows.map(({ judgement }) => judgement), certification];
		if (unreliable.length === 0 || !fails.some((judgement) => judgement?.verdict === "FAIL")) return answerOf$1(recorded, {
			rows,
			certification
		});
		const best = judged((operation) => operation.best[reliabilityOf(operation, lateNs)?.at_best ?? -1] ?? operation.cells);
		const standing = rows.map((row, at) => ({
			...row,
			judgement: standingOf(row.judgement, best[at]?.judgement)
		}));
		const stood = certification && standingOf(certification, certified(question, chosen, true));
		const judgement = wholeOf$1(standing, stood, question);
		const fell = recorded.verdict === "FAIL" && judgement.verdict !== "FAIL";
		const note = `${unreliable[0]?.text ?? ""}${fell ? "; without them this is no FAIL" : ""}`;
		return answerOf$1(fell && judgement.verdict === "INDETERMINATE" ? {
			...judgement,
			reason: "generator"
		} : judgement, {
			certification: stood,
			rows: standing,
			note,
			restsOnUnreliable: fell
		});
	}
	/** Returns the combined verdict of the limits, or the certification if it decides. */
	var wholeOf$1 = (rows, certification, question) => certification !== null && question.certification?.decides === true ? certification : combined(rows.map((row) => row.judgement));
	function certified(question, chosen, isAtBest) {
		const rule = question.certification;
		if (!rule) return null;
		const slices = isAtBest ? rule.slices_at_best : rule.slices;
		const limits = question.limits.flatMap((limit) => limit.kind === "exceedance" ? [limit.ratio] : []);
		return combined(chosen.map((operation, at) => certify(rule, slices[at] ?? [], limits, operation)));
	}
	/**
	* Judges whether all full slices of a run are strictly below all limits for the required time, by exact counts. It
	* applies to this run only, so it is never proven for the next.
	*/
	function certify(rule, slices, limits, operation) {
		const { isTooLittle, isTooMuch } = loadOf(operation);
		let isUnclear = false;
		for (const slice of slices) for (const [at, ratio] of limits.entries()) {
			const allowed = ratio * slice.total;
			if (slice.total === 0 || (slice.over[at] ?? 0) < allowed || isTooMuch) continue;
			if ((slice.certain[at] ?? 0) >= allowed) return decided("FAIL");
			isUnclear = true;
		}
		if (isUnclear) return undecided("resolution");
		if (rule.duration_ns > operation.measured_ns) return undecided("duration");
		const needed = Math.floor(rule.duration_ns / rule.slice_ns);
		return isTooLittle || isTooMuch || slices.length < needed ? undecided("generator") : decided("PASS");
	}
	/** Returns the operations of a question, or the reason why there are none. */
	function operationsOf(run, question) {
		const at = (index) => run.operations.slice(index, index + 1);
		let operations;
		if (question.operation === "*") {
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
			if (question.operation === "operation" && run.own.length > 1) return `several operations fit: ${run.own.join(", ")}; name the one that is meant`;
			const name = question.operation === "operation" ? own ?? question.operation : question.operation;
			const index = Object.hasOwn(run.named, name) ? run.named[name] : void 0;
			if (typeof index === "string") return index;
			operations = index === void 0 ? [] : at(index);
		}
		operations = operations.filter((operation) => question.clock === null || operation.clock === question.clock);
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
		const causes = total === 0 ? [{
			reason: "samples",
			without: NOTHING_KNOWN
		}] : shares.lower < shares.upper ? [{
			reason: "resolution",
			without: middleOf$2(shares)
		}] : [];
		const judgement = judge(loadOf(operation), {
			inRun,
			inNext,
			objective: limit.kind === "percentile" ? limit.quantile : 1 - limit.ratio,
			causes,
			isTooFew: total < 100
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
	function middleOf$2({ lower, upper }) {
		const middle = 1 - (lower + upper) / 2;
		return {
			lower: middle,
			upper: middle
		};
	}
	/** Returns the shares under the threshold. A share over it that equals the limit fails, as the comparison is strict. */
	function underOf(over, limit) {
		const under = (share) => {
			if (limit.kind === "exceedance" && Math.abs(share - limit.ratio) <= LAST_DIGITS$1) return 1 - limit.ratio - LAST_DIGITS$1;
			const rest = 1 - share;
			return limit.kind === "percentile" && Math.abs(rest - limit.quantile) <= LAST_DIGITS$1 ? limit.quantile : rest;
		};
		return {
			lower: under(over.upper),
			upper: under(over.lower)
		};
	}
	/** Returns the answer of a judgement; what `parts` lacks is empty. */
	var answerOf$1 = (judgement, parts = {}) => ({
		words: wordsOf(judgement),
		judgement,
		rows: [],
		certification: null,
		note: "",
		basis: "",
		restsOnUnreliable: false,
		...parts
	});
	var noAnswer = (reason, note) => answerOf$1(undecided(reason), { note });
	// src/offline/fourier.ts
	var TILT = 18;
	/** Terms below e^−34.5 are skipped: together they change a cumulative sum by less than 1e-10. */
	var LEFT_OUT = 34.5;
	/** Number of cached transforms, which the next sums can reuse. */
	var MOST_SPECTRA = 8;
	/** Thrown if a question exceeds its limit of work. */
	var TooMuchWork = class extends Error {};
	/** Cost per grid step of a transform, and of reading a sum. */
	var PASSES = {
		transform: 36,
		reading: 8
	};
	var pointsLeft = Number.POSITIVE_INFINITY;
	/** Returns the result of `calculate`. Throws `TooMuchWork` if its sums process more than `points` numbers. */
	function withinWork(points, calculate) {
		pointsLeft = points;
		try {
			return calculate();
		} finally {
			pointsLeft = Number.POSITIVE_INFINITY;
		}
	}
	function countWork(points) {
		pointsLeft -= points;
		if (pointsLeft < 0) throw new TooMuchWork();
	}
	/** Returns the share of sums that end within `column` on a grid of `bins` steps, a power of two. */
	function shareWithin(terms, bins, column) {
		const size = 2 * bins;
		countWork(PASSES.reading * bins * (1 + terms.length));
		const spectra = terms.map((term) => ({
			times: term.times,
			...spectrumOf(term, size, terms.length)
		}));
		const relevant = relevance(spectra);
		const tilt = TILT / size;
		const grown = Math.exp(tilt * (column + 1));
		const [tiltGrown, tiltGrownLess1] = [Math.exp(tilt), Math.expm1(tilt)];
		const { cosine, sine } = twiddleFactorsOf(size);
		const half = bins - 1;
		let share = 0;
		for (let frequency = 0, turned = 0; frequency <= bins; frequency += 1, turned = turned + column + 1 & size - 1) {
			if (!relevant(frequency)) continue;
			let x = 1;
			let y = 0;
			for (const { times, real, imaginary } of spectra) {
				let a = real[frequency] ?? 0;
				let b = imaginary[frequency] ?? 0;
				for (let left = times; left > 0; left = Math.floor(left / 2)) {
					if (left % 2 === 1) {
						const before = x;
						x = before * a - y * b;
						y = before * b + y * a;
						if (left === 1) break;
					}
					const before = a;
					a = before * before - b * b;
					b = 2 * before * b;
				}
			}
			const place = half + (turned & half);
			const away = turned < bins ? grown : -grown;
			const topReal = away * (cosine[place] ?? 0) - 1;
			const topImaginary = away * (sine[place] ?? 0);
			const isLast = frequency === bins;
			const cos = isLast ? -1 : cosine[half + frequency] ?? 0;
			const sin = isLast ? 0 : sine[half + frequency] ?? 0;
			const bottomReal = tiltGrownLess1 * cos - (cos > 0 ? sin * sin / (1 + cos) : 1 - cos);
			const bottomImaginary = tiltGrown * sin;
			const weight = (frequency > 0 && frequency < bins ? 2 : 1) / (size * (bottomReal ** 2 + bottomImaginary ** 2));
			const readReal = (topReal * bottomReal + topImaginary * bottomImaginary) * weight;
			const readImaginary = (topImaginary * bottomReal - topReal * bottomImaginary) * weight;
			share += x * readReal - y * readImaginary;
		}
		return share;
	}
	/** Returns a function of a frequency: whether the product of all powers there is not negligible. */
	function relevance(spectra) {
		const powers = spectra.map((spectrum) => ({
			...spectrum,
			least: Math.exp(-2 * LEFT_OUT / spectrum.times)
		}));
		return (frequency) => {
			let exponent = 0;
			for (const { times, real, imaginary, least } of powers) {
				const a = real[frequency] ?? 0;
				const b = imaginary[frequency] ?? 0;
				const squared = a * a + b * b;
				if (squared <= least) return false;
				if (powers.length > 1) exponent += times * Math.log(squared);
			}
			return exponent > -2 * LEFT_OUT;
		};
	}
	/** Recent transforms, in order of use. */
	var cached = [];
	/** Returns the cached transform of a term, or computes it in the arrays of the least recently used. */
	function spectrumOf(term, size, terms) {
		const at = cached.findIndex(({ source, grid }) => source === term.source && grid === term.grid);
		let spectrum = cached.splice(at, at < 0 ? 0 : 1)[0];
		if (spectrum === void 0) {
			const half = size / 2;
			countWork(PASSES.transform * half);
			const oldest = cached.length >= Math.max(MOST_SPECTRA, terms) ? cached.shift() : void 0;
			const isReused = oldest?.real.length === half + 1;
			const real = isReused ? oldest.real.fill(0) : new Float64Array(half + 1);
			const imaginary = isReused ? oldest.imaginary.fill(0) : new Float64Array(half + 1);
			transformInto({
				real,
				imaginary
			}, term.place(), size);
			spectrum = {
				real,
				imaginary,
				source: term.source,
				grid: term.grid
			};
		}
		cached.push(spectrum);
		return spectrum;
	}
	/** Computes the tilted transform of real values by a complex one of half the length: frequencies 0 to `size / 2`. */
	function transformInto({ real, imaginary }, { columns, shares }, size) {
		const half = size / 2;
		for (let mass = 0; mass < columns.length; mass += 1) {
			const column = columns[mass] ?? 0;
			const value = (shares[mass] ?? 0) * Math.exp(-18 / size * column);
			const target = column % 2 === 0 ? real : imaginary;
			const place = column >> 1;
			target[place] = (target[place] ?? 0) + value;
		}
		transform(real, imaginary, half);
		const { cosine, sine } = twiddleFactorsOf(size);
		const first = real[0] ?? 0;
		const second = imaginary[0] ?? 0;
		const twiddleFactors = half - 1;
		for (let low = 1; low <= half / 2; low += 1) {
			const high = half - low;
			const a = real[low] ?? 0;
			const b = imaginary[low] ?? 0;
			const c = real[high] ?? 0;
			const d = imaginary[high] ?? 0;
			const evenReal = (a + c) / 2;
			const evenImaginary = (b - d) / 2;
			const oddReal = (b + d) / 2;
			const oddImaginary = (c - a) / 2;
			const cos = cosine[twiddleFactors + low] ?? 0;
			const sin = sine[twiddleFactors + low] ?? 0;
			const turnedReal = oddReal * cos + oddImaginary * sin;
			const turnedImaginary = oddImaginary * cos - oddReal * sin;
			real[low] = evenReal + turnedReal;
			imaginary[low] = evenImaginary + turnedImaginary;
			real[high] = evenReal - turnedReal;
			imaginary[high] = turnedImaginary - evenImaginary;
		}
		real[0] = first + second;
		imaginary[0] = 0;
		real[half] = first - second;
		imaginary[half] = 0;
	}
	var twiddleFactors = /* @__PURE__ */ new Map();
	function twiddleFactorsOf(size) {
		let cached = twiddleFactors.get(size);
		if (cached === void 0) {
			cached = {
				cosine: new Float64Array(size - 1),
				sine: new Float64Array(size - 1)
			};
			for (let width = 1; width < size; width *= 2) for (let place = 0; place < width; place += 1) {
				cached.cosine[width - 1 + place] = Math.cos(Math.PI * place / width);
				cached.sine[width - 1 + place] = Math.sin(Math.PI * place / width);
			}
			twiddleFactors.set(size, cached);
		}
		return cached;
	}
	/** Transforms the first `length` complex values in place; `length` must be a power of two. */
	function transform(real, imaginary, length) {
		const { cosine, sine } = twiddleFactorsOf(length);
		for (let place = 1, reversed = 0; place < length; place += 1) {
			let bit = length >> 1;
			for (; reversed & bit; bit >>= 1) reversed ^= bit;
			reversed ^= bit;
			if (place < reversed) {
				const a = real[place] ?? 0;
				real[place] = real[reversed] ?? 0;
				real[reversed] = a;
				const b = imaginary[place] ?? 0;
				imaginary[place] = imaginary[reversed] ?? 0;
				imaginary[reversed] = b;
			}
		}
		for (let width = 1; width < length; width *= 2) for (let begin = 0; begin < length; begin += 2 * width) for (let place = 0; place < width; place += 1) {
			const low = begin + place;
			const high = low + width;
			const cos = cosine[width - 1 + place] ?? 0;
			const sin = sine[width - 1 + place] ?? 0;
			const c = real[high] ?? 0;
			const d = imaginary[high] ?? 0;
			const turnedReal = c * cos + d * sin;
			const turnedImaginary = d * cos - c * sin;
			const a = real[low] ?? 0;
			const b = imaginary[low] ?? 0;
			real[high] = a - turnedReal;
			imaginary[high] = b - turnedImaginary;
			real[low] = a + turnedReal;
			imaginary[low] = b + turnedImaginary;
		}
	}
	// src/offline/masses.ts
	/** Times in nanoseconds at which latencies are cut off for bounds by moments; equal for all questions. */
	var CEILINGS_NS = Array.from({ length: 38 }, (_, power) => 2 ** (power + 8));
	var LAST_DIGITS = 1e-13;
	/** Returns P(all `count` operations are below), with `below` = 1 − `over`. Accurate for tiny `over`. */
	function powerOfShares(below, over, count) {
		return over < .5 ? Math.exp(count * Math.log1p(-Math.min(Math.max(over, 0), .5))) : Math.max(below, 0) ** count;
	}
	/** Returns a function that calculates its value once. */
	function once(calculate) {
		let result;
		return () => {
			result ??= { value: calculate() };
			return result.value;
		};
	}
	var Masses = class Masses {
		groups;
		isContinuous;
		held = once(() => this.sums().map(massesBelow));
		capped = once(() => this.sums().map((sums, group) => momentsCapped(sums, this.totals()[group] ?? 0)));
		running = once(() => this.groups.map(({ ratio }) => runningOf(ratio)));
		totals = once(() => this.groups.map(({ ratio }) => ratio.reduce((sum, share) => sum + share, 0)));
		sums = once(() => this.groups.map(sumsOf));
		slowest = /* @__PURE__ */ new Map();
		shared = /* @__PURE__ */ new Map();
		/** `isContinuous`: latencies are in `[at, …)`, so an early mass exactly at a limit is not under it. */
		constructor(groups, isContinuous) {
			this.groups = groups;
			this.isContinuous = isContinuous;
		}
		/** Returns the distribution with every latency divided by `workers`. */
		sharedBy(workers) {
			if (workers === 1) return this;
			return this.remembered(this.shared, workers, ({ atNs, ratio }) => ({
				atNs: atNs.map((at) => at / workers),
				ratio
			}));
		}
		/** Returns the distribution of the slowest of `count` operations, for each group. */
		slowestOf(count) {
			if (count === 1) return this;
			return this.remembered(this.slowest, count, ({ atNs }, group) => {
				let before = 0;
				return {
					atNs,
					ratio: (this.running()[group] ?? []).slice(1).map((sum) => {
						const below = Math.min(Math.max(sum, 0), 1);
						const reached = powerOfShares(below, 1 - below < LAST_DIGITS ? 0 : 1 - below, count);
						const share = Math.max(reached - before, 0);
						before = reached;
						return share;
					})
				};
			});
		}
		remembered(all, key, make) {
			const masses = all.get(key) ?? new Masses(this.groups.map(make), this.isContinuous);
			all.set(key, masses);
			return masses;
		}
		/** Returns the share of each group at or below a limit. */
		within(limitNs, isStrict = false) {
			return this.groups.map(({ atNs }, group) => {
				const inside = place(atNs.length, (at) => isStrict ? (atNs[at] ?? 0) < limitNs : (atNs[at] ?? 0) <= limitNs);
				return Math.min(Math.max(this.running()[group]?.[inside] ?? 0, 0), 1);
			});
		}
		/** Returns the largest share within a limit; for continuous latencies, strictly below it. */
		under(limitNs) {
			return this.within(limitNs, this.isContinuous);
		}
		/** First and last ceiling index at which `held` differs. */
		get heldCeilings() {
			const filled = this.groups.filter(({ atNs }) => atNs.length > 0);
			if (filled.length === 0) return [0, -1];
			const first = Math.min(...filled.map(({ atNs }) => atNs[0] ?? 0));
			const last = Math.max(...filled.map(({ atNs }) => atNs.at(-1) ?? 0));
			return [ceilingAt(first), Math.min(ceilingAt(last), CEILINGS_NS.length - 1)];
		}
		/** First and last ceiling index for `capped`. Below all masses, the highest ceiling gives the tightest bound. */
		get cappedCeilings() {
			const [first, last] = this.heldCeilings;
			const isIncomplete = this.totals().some((total) => 1 - total > 0);
			return [Math.max(0, first - 1), last < 0 || isIncomplete ? CEILINGS_NS.length - 1 : last];
		}
	};
	var ceilingAt = (timeNs) => place(CEILINGS_NS.length, (at) => (CEILINGS_NS[at] ?? 0) < timeNs);
	function runningOf(values) {
		const sums = [0];
		let sum = 0;
		for (const value of values) {
			sum += value;
			sums.push(sum);
		}
		return sums;
	}
	/** Returns the sums of mass, mass × time and mass × time² at or below each ceiling, and the largest time. */
	function sumsOf({ atNs, ratio }) {
		const inside = CEILINGS_NS.map((ceiling) => place(atNs.length, (at) => (atNs[at] ?? 0) <= ceiling));
		const at = (sums) => inside.map((count) => sums[count] ?? 0);
		return {
			share: at(runningOf(ratio)),
			first: at(runningOf(ratio.map((share, mass) => share * (atNs[mass] ?? 0)))),
			second: at(runningOf(ratio.map((share, mass) => share * (atNs[mass] ?? 0) ** 2))),
			highest: at([0, ...atNs])
		};
	}
	/** Returns the masses at or below each ceiling: their share, mean, variance, and largest excess over the mean. */
	function massesBelow({ share, first, second, highest }) {
		const held = share.map((sum) => Math.min(sum, 1));
		const weight = held.map((sum) => sum > 0 ? sum : 1);
		const mean = first.map((sum, at) => sum / (weight[at] ?? 1));
		return {
			share: held,
			mean,
			variance: second.map((sum, at) => varianceOf(sum / (weight[at] ?? 1), mean[at] ?? 0)),
			above: highest.map((time, at) => Math.max(0, time - (mean[at] ?? 0)))
		};
	}
	/** Returns mean and variance with masses above each ceiling moved to it. */
	function momentsCapped({ share, first, second }, total) {
		const over = share.map((sum) => Math.max(1, total) - sum);
		const mean = first.map((sum, at) => sum + (over[at] ?? 0) * (CEILINGS_NS[at] ?? 0));
		return {
			mean,
			variance: second.map((sum, at) => varianceOf(sum + (over[at] ?? 0) * (CEILINGS_NS[at] ?? 0) ** 2, mean[at] ?? 0))
		};
	}
	/** Adds the rounding error of the difference of squares, so that the variance is never too small. */
	var varianceOf = (squared, mean) => Math.max(0, squared - mean ** 2) + LAST_DIGITS * squared;
	/** Returns the largest possible number of operations in a stage. */
	var largestOf$1 = ({ count }) => typeof count === "number" ? count : Math.max(...count.flatMap(([number, weight]) => weight > 0 ? [number] : []));
	var largestCountOf = (plan) => plan.reduce((sum, stage) => sum + largestOf$1(stage), 0);
	var overheadOf = (plan) => plan.reduce((sum, { overhead_ns }) => sum + overhead_ns, 0);
	/** Returns the operation names in order of the stages, without duplicates. */
	var operationNames = (plan) => [...new Set(plan.map(({ operation }) => operation))];
	/** Returns the only stage of a plan if it has a fixed number of operations; else `undefined`. */
	function onlyStageOf(plan) {
		const [stage] = plan;
		return plan.length === 1 && stage !== void 0 && isFixed(stage) ? stage : void 0;
	}
	var isFixed = (stage) => typeof stage.count === "number";
	/** Returns the scheduling with degenerate cases resolved: waves of one are sequential, waves of all are parallel. */
	function effectiveOf(stage) {
		const { fan_out: fanOut, scheduling } = stage;
		if (scheduling === "sequential" || scheduling === "parallel") return scheduling;
		if (fanOut === 1) return "sequential";
		return fanOut >= largestOf$1(stage) ? "parallel" : scheduling;
	}
	/** Returns the least number of operations in sequence. */
	function depthOf(stage) {
		const effective = effectiveOf(stage);
		if (effective === "sequential") return largestOf$1(stage);
		return effective === "parallel" ? 1 : Math.ceil(largestOf$1(stage) / stage.fan_out);
	}
	/** Returns the stage with another number of operations. */
	var withCount = (stage, count) => ({
		...stage,
		count,
		fan_out: stage.scheduling === "parallel" ? 1 : stage.fan_out
	});
	/** Returns every combination of a plan's counts with its probability; `undefined` if there are too many. */
	function certainCounts(plan) {
		if (plan.every(isFixed)) return [[plan, 1]];
		let combinations = [[[], 1]];
		for (const stage of plan) {
			const choices = isFixed(stage) ? [[stage, 1]] : stage.count.flatMap(([count, weight]) => weight > 0 ? [[withCount(stage, count), weight]] : []);
			if (combinations.length * choices.length > 256) return void 0;
			combinations = combinations.flatMap(([stages, chance]) => choices.map(([choice, weight]) => [[...stages, choice], chance * weight]));
		}
		return combinations;
	}
	/** Returns the number of full waves before the last, and the operations of the last wave. */
	function batchSizes(count, fanOut) {
		const full = Math.ceil(count / fanOut) - 1;
		return [full, count - full * fanOut];
	}
	/** Returns how measured reads relate to a plan, as `transfers` in measured_transactions.py; `null` if they do not. */
	function transferOf(plan, issued) {
		const [first] = plan;
		if (first === void 0 || first.operation !== READ) return null;
		const reads = plan.filter(({ operation }) => operation === READ);
		const fixed = reads.filter(isFixed);
		if (plan.length === 1 && first.overhead_ns === 0 && endsNoLater(first, issued)) return fixed.length > 0 && endsNoLater(issued, first) ? "exact" : "no-later";
		if (fixed.reduce((sum, stage) => sum + (effectiveOf(stage) === "sequential" ? stage.count : 0), 0) >= issued.count || fixed.some((stage) => endsNoLater(issued, stage))) return "no-earlier";
		return reads.length === plan.length ? "beside" : null;
	}
	var READ = "read";
	/** Returns whether a stage cannot take longer than another of the same operation, for any latencies. */
	function endsNoLater(stage, other) {
		if (largestOf$1(stage) > largestOf$1(other)) return false;
		const [effective, otherEffective] = [effectiveOf(stage), effectiveOf(other)];
		if (otherEffective === "sequential" || effective === "parallel") return true;
		if (effective === "pool" && (otherEffective === "pool" || otherEffective === "waves")) return stage.fan_out >= other.fan_out;
		return effective === "waves" && otherEffective === "waves" && stage.fan_out % other.fan_out === 0;
	}
	// src/offline/plan-bounds.ts
	var WIDENING = 1e-8;
	var LEVELS = {
		least: 4,
		most: 46
	};
	var CHEAP_BINS = 16384;
	var ESTIMATE_BINS = 16384;
	/** Thrown if random counts have too many combinations. */
	var TooManyCounts = class extends Error {};
	var PlanBounds = class PlanBounds {
		distributions;
		bins;
		coarser;
		/**
		* `distributions` are distributions by operation, with equal groups. `coarser` has the same groups in wider buckets: the
		* tighter of both bounds is used, so that wider buckets never give narrower bounds.
		*/
		constructor(distributions, bins, coarser) {
			this.distributions = distributions;
			this.bins = bins;
			this.coarser = coarser;
		}
		/** Returns the least share of each group's transactions within a time. */
		lower(plan, timeNs) {
			return this.added(plan, (fixed) => this.least(fixed, timeNs - overheadOf(fixed)));
		}
		/** Returns the largest share of each group's transactions within a time. */
		upper(plan, timeNs) {
			return this.added(plan, (fixed) => this.most(fixed, timeNs - overheadOf(fixed)));
		}
		/** Returns an estimate between the bounds; for a pool, their middle. It decides nothing. */
		estimate(plan, timeNs, lower, upper) {
			if (plan.some((stage) => effectiveOf(stage) === "pool")) return this.each((group) => ((lower[group] ?? 0) + (upper[group] ?? 1)) / 2);
			const coarse = new PlanBounds(this.distributions, Math.min(this.bins, ESTIMATE_BINS), null);
			const open = this.each((group) => (upper[group] ?? 1) - (lower[group] ?? 0)).map((width) => width > WIDENING);
			return this.added(plan, (fixed) => {
				const [netNs, factors] = [timeNs - overheadOf(fixed), slowFactors(fixed)];
				const [factor] = factors;
				if (netNs <= 0) return this.settled(this.each(() => 0));
				if (factor !== void 0 && isAtOnce(factors)) return this.settled(this.masses("middle", factor).within(netNs));
				const onGrid = (group) => coarse.onGrid("middle", factors, levelOf$1(netNs), netNs, group);
				return {
					best: lower,
					open,
					onGrid
				};
			}).map((share, group) => Math.min(Math.max(share, lower[group] ?? 0), upper[group] ?? 1));
		}
		/** Sums the shares over all combinations of counts, group by group, so that combinations can share transforms. */
		added(plan, sharesOf) {
			const combinations = certainCounts(plan);
			if (combinations === void 0) throw new TooManyCounts();
			const shares = combinations.map(([fixed, weight]) => ({
				weight,
				...sharesOf(fixed)
			}));
			return this.each((group) => {
				const shareOf = ({ best, open, onGrid }) => open[group] ? onGrid(group) : best[group] ?? 0;
				return Math.min(1, shares.reduce((sum, each) => sum + each.weight * shareOf(each), 0));
			});
		}
		settled(best) {
			return {
				best,
				open: best.map(() => false),
				onGrid: () => 0
			};
		}
		least(plan, netNs) {
			if (netNs <= 0) return this.settled(this.each(() => 0));
			const factors = slowFactors(plan);
			const [factor] = factors;
			if (factor !== void 0 && isAtOnce(factors)) {
				const within = this.masses("late", {
					...factor,
					atOnce: 1
				}).within(netNs);
				return this.settled(within.map((share) => powerOfShares(share, 1 - share, factor.atOnce)));
			}
			const best = this.leastAtOnce(plan, netNs);
			let open = best.map((share) => share < .99999999);
			if (this.bins > CHEAP_BINS && open.some(Boolean)) {
				const most = this.mostAtOnce(plan, netNs);
				open = open.map((isOpen, group) => isOpen && (most[group] ?? 0) > WIDENING);
			}
			const onGrid = (group) => Math.max(best[group] ?? 0, this.leastOnGrid(factors, netNs, group));
			return {
				best,
				open,
				onGrid
			};
		}
		most(plan, netNs) {
			if (netNs <= 0) return this.settled(this.each(() => netNs < 0 ? 0 : 1));
			const best = this.mostAtOnce(plan, netNs);
			let open = best.map((share) => share > WIDENING);
			if (this.bins > CHEAP_BINS && open.some(Boolean)) {
				const least = this.leastAtOnce(plan, netNs);
				open = open.map((isOpen, group) => isOpen && (least[group] ?? 0) < .99999999);
			}
			const sums = fastFactors(plan).filter((factors) => !isAtOnce(factors));
			const onGrid = (group) => sums.reduce((share, factors) => {
				const [first] = factors;
				const clamped = first !== void 0 && factors.length === 1 && 2 * termsOf(factors) > this.bins ? [{
					...first,
					times: Math.floor(this.bins / 2)
				}] : factors;
				const most = this.onGrid("early", clamped, levelOf$1(netNs), netNs, group) + wideningOf(factors);
				return Math.min(Math.max(Math.min(share, most), 0), 1);
			}, best[group] ?? 1);
			return {
				best,
				open,
				onGrid
			};
		}
		each(share) {
			const [distributions] = this.distributions.values();
			return (distributions?.late.groups ?? []).map((_, group) => share(group));
		}
		distributionsOf(operation) {
			const distributions = this.distributions.get(operation);
			if (distributions === void 0) throw new Error(`${operation} was not measured`);
			return distributions;
		}
		/** Treats pools as sequential, and applies Graham's bound if a pool is the only stage. */
		leastAtOnce(plan, netNs) {
			const inARow = plan.map((stage) => effectiveOf(stage) === "pool" ? {
				...stage,
				fan_out: 1,
				scheduling: "sequential"
			} : stage);
			let best = this.leastByMoments(slowFactors(inARow), netNs);
			const only = onlyStageOf(plan);
			if (only !== void 0 && effectiveOf(only) === "pool") best = larger(best, this.graham(only, netNs));
			return this.coarser === null ? best : larger(best, this.coarser.leastAtOnce(plan, netNs));
		}
		mostAtOnce(plan, netNs) {
			let best = this.cap(plan, netNs);
			for (const factors of fastFactors(plan)) if (!isAtOnce(factors)) best = smaller(best, this.mostByMoments(factors, netNs));
			if (this.coarser !== null) best = smaller(best, this.coarser.mostAtOnce(plan, netNs));
			return best.map((share) => Math.min(Math.max(share, 0), 1));
		}
		/** Returns the share whose slowest operation is in time. No more transactions can be in time. */
		cap(plan, netNs) {
			return plan.reduce((cap, { operation, count }) => {
				const under = this.distributionsOf(operation).early.under(netNs);
				return cap.map((share, group) => {
					const below = under[group] ?? 0;
					return share * powerOfShares(below, 1 - below, count);
				});
			}, this.each(() => 1));
		}
		/** Uses the grid level of the time; near its start also the next finer level, where rounding up costs less. */
		leastOnGrid(factors, netNs, group) {
			const terms = termsOf(factors);
			if (2 * terms > this.bins) return 0;
			const level = levelOf$1(netNs);
			let share = this.onGrid("late", factors, level, netNs, group);
			const finerNs = 2 ** (level - 1);
			if (level > LEVELS.least && (netNs - finerNs) * this.bins < terms * 2 ** level) share = Math.max(share, this.onGrid("late", factors, level - 1, finerNs, group));
			return Math.max(share - wideningOf(factors), 0);
		}
		onGrid(side, factors, level, timeNs, group) {
			const column = Math.min(this.bins, Math.floor(timeNs * this.bins / 2 ** level));
			const terms = factors.filter(({ times }) => times > 0).map((factor) => onColumns(this.masses(side, factor).groups[group] ?? NO_MASSES, factor.times, {
				side,
				level,
				bins: this.bins
			}));
			return Math.min(Math.max(shareWithin(terms, this.bins, column), 0), 1);
		}
		masses(side, { operation, atOnce, shared }) {
			return this.distributionsOf(operation)[side].slowestOf(atOnce).sharedBy(shared);
		}
		leastByMoments(factors, netNs) {
			const distributions = factors.map((factor) => ({
				times: factor.times,
				masses: this.masses("late", factor)
			}));
			const first = Math.max(...distributions.map(({ masses }) => masses.heldCeilings[0]));
			const last = Math.max(...distributions.map(({ masses }) => masses.heldCeilings[1]));
			return this.each((group) => {
				let best = 0;
				for (let at = first; at <= last && (CEILINGS_NS[at] ?? 0) <= netNs; at += 1) {
					let [inside, mean, variance, above] = [
						1,
						0,
						0,
						0
					];
					for (const { times, masses } of distributions) {
						const held = masses.held()[group];
						const share = held?.share[at] ?? 0;
						inside *= powerOfShares(share, 1 - share, times);
						mean += times * (held?.mean[at] ?? 0);
						variance += times * (held?.variance[at] ?? 0);
						above = Math.max(above, held?.above[at] ?? 0);
					}
					best = Math.max(best, inside * (1 - bernstein(netNs - mean, variance, above)));
				}
				return best;
			});
		}
		/** Graham's bound for k workers: with operations up to c, a total work S ends within t if S ≤ k t − (k − 1) c. */
		graham(stage, netNs) {
			const workers = Math.min(stage.fan_out, stage.count);
			return this.each((group) => {
				const held = this.distributionsOf(stage.operation).late.held()[group];
				let best = 0;
				for (const [at, ceiling] of CEILINGS_NS.entries()) {
					if (ceiling > netNs) break;
					const share = held?.share[at] ?? 0;
					const chance = bernstein(workers * netNs - (workers - 1) * ceiling - stage.count * (held?.mean[at] ?? 0), stage.count * (held?.variance[at] ?? 0), held?.above[at] ?? 0);
					best = Math.max(best, powerOfShares(share, 1 - share, stage.count) * (1 - chance));
				}
				return best;
			});
		}
		mostByMoments(factors, netNs) {
			const distributions = factors.map((factor) => ({
				times: factor.times,
				masses: this.masses("early", factor)
			}));
			const first = Math.min(...distributions.map(({ masses }) => masses.cappedCeilings[0]));
			const last = Math.max(...distributions.map(({ masses }) => masses.cappedCeilings[1]));
			return this.each((group) => {
				let best = 1;
				for (let at = first; at <= last; at += 1) {
					let [mean, variance, under] = [
						0,
						0,
						0
					];
					for (const { times, masses } of distributions) {
						const capped = masses.capped()[group];
						mean += times * (capped?.mean[at] ?? 0);
						variance += times * (capped?.variance[at] ?? 0);
						under = Math.max(under, capped?.mean[at] ?? 0);
					}
					best = Math.min(best, bernstein(mean - netNs, variance, under));
				}
				return best;
			});
		}
	};
	var larger = (a, b) => a.map((share, group) => Math.max(share, b[group] ?? 0));
	var smaller = (a, b) => a.map((share, group) => Math.min(share, b[group] ?? 1));
	var isAtOnce = ([factor, ...others]) => others.length === 0 && factor?.times === 1 && factor.shared === 1;
	/** Returns terms whose sum equals the plan's time; for a pool, is never less. */
	function slowFactors(plan) {
		return plan.flatMap((stage) => {
			const { operation, count } = stage;
			const effective = effectiveOf(stage);
			if (effective === "sequential") return [{
				operation,
				atOnce: 1,
				shared: 1,
				times: count
			}];
			if (effective === "parallel") return [{
				operation,
				atOnce: count,
				shared: 1,
				times: 1
			}];
			const atOnce = stage.fan_out;
			const [full, rest] = batchSizes(count, atOnce);
			const last = {
				operation,
				atOnce: rest,
				shared: 1,
				times: 1
			};
			return full > 0 ? [{
				operation,
				atOnce,
				shared: 1,
				times: full
			}, last] : [last];
		});
	}
	/** Returns sums that never exceed the plan's time. Of a pool: an even share of its work, and its slowest operation. */
	function fastFactors(plan) {
		if (plan.every((stage) => effectiveOf(stage) !== "pool")) return [slowFactors(plan)];
		return [true, false].map((isShared) => plan.flatMap((stage) => {
			if (effectiveOf(stage) !== "pool") return slowFactors([stage]);
			const { operation, count, fan_out: workers } = stage;
			return [isShared ? {
				operation,
				atOnce: 1,
				shared: workers,
				times: count
			} : {
				operation,
				atOnce: count,
				shared: 1,
				times: 1
			}];
		}));
	}
	/** Returns the exponent of the next power of two at or above the time, which is the length of the grid. */
	function levelOf$1(netNs) {
		let level = LEVELS.least;
		while (2 ** level < netNs && level < LEVELS.most) level += 1;
		return level;
	}
	var termsOf = (factors) => factors.reduce((sum, { times }) => sum + times, 0);
	var wideningOf = (factors) => WIDENING * (2 + termsOf(factors) / 1e3);
	var ROUNDED = {
		late: Math.ceil,
		early: Math.floor,
		middle: Math.round
	};
	var NO_MASSES = {
		atNs: [],
		ratio: []
	};
	function onColumns(group, times, { side, level, bins }) {
		return {
			source: group,
			grid: `${side} ${level} ${bins}`,
			times,
			place: () => {
				const inside = group.atNs.filter((at) => at <= 2 ** level).length;
				return {
					columns: Int32Array.from(group.atNs.slice(0, inside), (at) => ROUNDED[side](at * (bins / 2 ** level))),
					shares: Float64Array.from(group.ratio.slice(0, inside))
				};
			}
		};
	}
	/** Returns an upper bound on the probability that a sum is `distance` from its mean (Bernstein's inequality). */
	function bernstein(distance, variance, furthest) {
		if (distance <= 0) return 1;
		const spread = 2 * (variance + furthest * distance / 3);
		return Math.exp(-Math.min(spread > 0 ? distance ** 2 / spread : Number.POSITIVE_INFINITY, 700));
	}
	// src/offline/blocks.ts
	var SIZES = Array.from({ length: 9 }, (_, power) => 4 ** power);
	var ERROR_ONE_SIDED = .05;
	var STEPS = 100;
	var STEP = 1.1;
	var blocksOfWhole = (total) => ({
		slice_totals: [[total], [1]],
		block_factors: SIZES.map(() => 1)
	});
	/** Returns the number of independent blocks of `operations` each. It never increases with the length. */
	function independentBlocks({ slice_totals, block_factors: factors }, operations) {
		const [totals, slices] = slice_totals;
		const disjoint = (size) => totals.reduce((sum, total, at) => sum + Math.floor(total / size) * (slices[at] ?? 0), 0);
		const cell = place(SIZES.length, (at) => (SIZES[at] ?? 0) <= operations) - 1;
		const later = SIZES.slice(cell + 1).map((size, at) => disjoint(size) / (factors[cell + 1 + at] ?? 1));
		return Math.max(disjoint(operations) / (factors[cell] ?? 1), ...later);
	}
	/** Returns the first step at or above `operations`. Each step is a tenth larger than the previous. */
	function nextSize(operations) {
		let size = 1;
		while (size < operations) size = Math.max(size + 1, Math.floor(size * STEP));
		return size;
	}
	/** Returns the steps below `operations`, largest first. */
	function smallerSizes(operations) {
		const sizes = [];
		for (let size = 1; size < operations; size = Math.max(size + 1, Math.floor(size * STEP))) sizes.unshift(size);
		return sizes;
	}
	/** Returns one-sided confidence limits of the share of plans in time (Hoeffding's inequality for U-statistics). */
	function shareLimits(lower, upper, blocks) {
		if (blocks < 40) return [0, 1];
		const distance = Math.log(1 / ERROR_ONE_SIDED) / blocks;
		const least = Math.max(0, lower - lower * (1 - lower) / blocks);
		const most = Math.min(1, upper + upper * (1 - upper) / blocks);
		return [lowerLimit(least, distance), 1 - lowerLimit(1 - most, distance)];
	}
	/** Returns the smallest share whose Kullback–Leibler divergence from `share` is at most `distance`. */
	function lowerLimit(share, distance) {
		if (share <= 0) return 0;
		if (share >= 1) return Math.exp(-distance);
		let [low, high] = [0, share];
		for (let step = 0; step < STEPS; step += 1) {
			const middle = (low + high) / 2;
			if (divergence(share, middle) > distance) low = middle;
			else high = middle;
		}
		return low;
	}
	/** Returns the Kullback–Leibler divergence of two shares. */
	function divergence(share, other) {
		if (share === other) return 0;
		if (other <= 0 && share > 0 || other >= 1 && share < 1) return Number.POSITIVE_INFINITY;
		const late = 1 - share;
		return (share > 0 ? share * Math.log(share / other) : 0) + (late > 0 ? late * Math.log(late / (1 - other)) : 0);
	}
	// src/offline/plan-model.ts
	var FULL_BINS = 1 << 17;
	var OPERATIONS_FOR_EACH = 40;
	var MOST_SMALLER_PLANS = 16;
	var COARSE_WIDTH = .02;
	/** Returns the bounds of a plan by the model. */
	function modelAnswer(counted, model, question) {
		const { plan, window_ns: windowNs } = question;
		const operations = largestCountOf(plan);
		const bins = Math.min(FULL_BINS, model.most_steps);
		const names = counted.map(({ name }) => name);
		const wholeRecord = wholeLevel(counted, bins);
		const levels = [model.shorter, model.groups].flatMap((groups) => groups === null ? [] : [levelOf(groups, names, bins)]);
		const leading = levels.find((level) => level.operations_of_a_piece >= operations * OPERATIONS_FOR_EACH) ?? levels.at(-1) ?? wholeRecord;
		const ladder = [leading, ...[...levels, wholeRecord].filter((level) => level !== leading)].sort((a, b) => a.operations_of_a_piece - b.operations_of_a_piece);
		const guaranteed = (level) => level === wholeRecord ? meanGuarantee(counted, question) : 0;
		const lower = Math.min(...supportedLevels(ladder, operations).map((level) => Math.max(inside(level, level.bounds.lower(plan, windowNs)), guaranteed(level))));
		const scales = ladder.filter(({ pieces }) => pieces > 1);
		const upperOf = (smaller) => Math.max(...(scales.length > 0 ? scales : ladder).map((level) => Math.min(1, inside(level, level.bounds.upper(smaller, windowNs)) + level.outside)));
		const upper = Math.max(lower, upperOf(plan));
		const wholes = counted.map(({ cells }) => blocksOfWhole(totalOf(cells)));
		const blocks = levels.length > 0 ? counted.map(({ part }) => part) : wholes;
		return {
			observed: {
				lower,
				upper
			},
			confident: confidentOf({
				lower,
				upper
			}, question, {
				blocksOf: (smaller, sizeOf) => fewestBlocks(smaller, names, blocks, sizeOf),
				upperOf
			}),
			blocks: Math.floor(fewestBlocks(plan, names, wholes)),
			estimate: () => {
				const low = leading.bounds.lower(plan, windowNs);
				const high = leading.bounds.upper(plan, windowNs).map((share, group) => Math.max(share, low[group] ?? 0));
				const share = inside(leading, leading.bounds.estimate(plan, windowNs, low, high));
				return Math.min(Math.max(share + leading.outside * share, lower), upper);
			}
		};
	}
	/** Returns the smallest number of independent disjoint blocks of any operation in a plan. */
	function fewestBlocks(plan, names, blocks, sizeOf = (operations) => operations) {
		const counts = names.map((name) => largestCountOf(plan.filter(({ operation }) => operation === name)));
		return Math.min(...blocks.map((of, at) => independentBlocks(of, sizeOf(counts[at] ?? 1))));
	}
	/** Returns confidence limits from blocks. A FAIL proven for fewer operations also applies to more. */
	function confidentOf({ lower, upper }, { plan, objective }, { blocksOf, upperOf }) {
		const independent = blocksOf(plan);
		const [least] = shareLimits(lower, upper, independent);
		const ofLonger = Math.max(40, blocksOf(plan, nextSize));
		let [, most] = shareLimits(lower, upper, Math.min(independent, ofLonger));
		const stage = onlyStageOf(plan);
		if (upper < objective && objective <= most && stage !== void 0) for (const count of smallerSizes(stage.count).slice(0, MOST_SMALLER_PLANS)) {
			const fewer = [withCount(stage, count)];
			const share = Math.max(upper, upperOf(fewer));
			if (share >= objective || most < objective) break;
			most = Math.min(most, shareLimits(0, share, blocksOf(fewer))[1]);
		}
		return {
			lower: Math.min(least, lower),
			upper: Math.max(most, upper)
		};
	}
	/** Returns the levels up to the shortest slices with enough operations for a plan. */
	function supportedLevels(ladder, operations) {
		const enough = ladder.findIndex((level) => operations * OPERATIONS_FOR_EACH <= level.operations_of_a_piece);
		return enough < 0 ? ladder : ladder.slice(0, enough + 1);
	}
	var inside = ({ outside, weights }, byGroup) => (1 - outside) * Math.min(1, weights.reduce((sum, weight, group) => sum + weight * (byGroup[group] ?? 0), 0));
	/** Returns the least share within the window by means and largest latencies (domain/transactions/guarantees.py). */
	function meanGuarantee(counted, { plan, window_ns: windowNs }) {
		if (counted.some(({ part }) => part.mean_upper_ns === null)) return 0;
		return (certainCounts(plan) ?? []).reduce((sum, [fixed, weight]) => sum + weight * guaranteeOf(fixed, counted, windowNs - overheadOf(fixed)), 0);
	}
	function guaranteeOf(plan, counted, netNs) {
		if (netNs <= 0) return 0;
		let [count, expectedNs, answered, largestNs] = [
			0,
			0,
			1,
			0
		];
		for (const stage of plan) {
			const operation = counted.find(({ name }) => name === stage.operation);
			if (operation === void 0) return 0;
			count += stage.count;
			expectedNs += stage.count * (operation.part.mean_upper_ns ?? 0);
			answered *= (1 - operation.cells.misses / totalOf(operation.cells)) ** stage.count;
			largestNs = Math.max(largestNs, largestOf(operation.cells));
		}
		const [byMean, mostNs] = [Math.min(1, expectedNs / netNs), count * largestNs];
		if (mostNs <= netNs) return answered;
		if (byMean >= 1 || mostNs === Number.POSITIVE_INFINITY) return answered * (1 - byMean);
		const exponent = count * divergence(netNs / mostNs, expectedNs / mostNs);
		return answered * (1 - Math.min(byMean, Math.exp(-exponent)));
	}
	/** Returns the largest latency that the buckets allow; infinite if the last bucket is unlimited. */
	function largestOf({ lower_ns, upper_ns }) {
		const [lower = 0, upper = 0] = [lower_ns.at(-1), upper_ns.at(-1)];
		if (upper === null) return Number.POSITIVE_INFINITY;
		return upper - lower === 1 ? lower : upper;
	}
	var levelsOfRecord = /* @__PURE__ */ new WeakMap();
	/** Returns the cached level of a group set for a grid; computes and stores it if missing. */
	function cachedLevel(record, bins, names, make) {
		const levels = levelsOfRecord.get(record) ?? /* @__PURE__ */ new Map();
		levelsOfRecord.set(record, levels);
		const key = JSON.stringify([bins, names]);
		const level = levels.get(key) ?? make();
		levels.set(key, level);
		return level;
	}
	var named = (names, distributions) => new Map(distributions.map((of, at) => [names[at] ?? "", of]));
	var levelOf = (groups, names, bins) => cachedLevel(groups, bins, names, () => ({
		...groups,
		bounds: new PlanBounds(named(names, groups.cells.map(distributionsOf)), bins, groups.coarser === null ? null : new PlanBounds(named(names, groups.coarser.map(distributionsOf)), bins, null))
	}));
	var distributionsOf = (groups) => distributionsOfCells(groups.map(cellsOf), (cells) => cells.map(middleOf$1), true);
	function distributionsOfCells(groups, middles, isContinuous) {
		const middle = groups.map((cells) => ({
			atNs: middles(cells),
			ratio: cells.map(({ ratio }) => ratio)
		}));
		return {
			late: new Masses(groups.map(upperEdges), isContinuous),
			early: new Masses(groups.map(lowerEdges), isContinuous),
			middle: new Masses(middle, isContinuous)
		};
	}
	function cellsOf({ gaps, widths, counts, total }) {
		let end = 0;
		return counts.map((count, at) => {
			const lower = end + (gaps[at] ?? 0);
			const width = widths[at] ?? null;
			end = lower + (width ?? 0);
			return {
				lower,
				upper: width === null ? null : end,
				ratio: count / total
			};
		});
	}
	var lowerEdges = (cells) => ({
		atNs: cells.map(({ lower }) => lower),
		ratio: cells.map(({ ratio }) => ratio)
	});
	function upperEdges(cells) {
		const closed = cells.filter(({ upper }) => upper !== null);
		return {
			atNs: closed.map(({ upper }) => upper ?? 0),
			ratio: closed.map(({ ratio }) => ratio)
		};
	}
	/** Returns the middle of a bucket; for a wide bucket, its log-uniform mean. */
	function middleOf$1({ lower, upper }) {
		const high = upper ?? 2 * Math.max(lower, 1);
		return lower > 0 && high - lower > COARSE_WIDTH * high ? (high - lower) / Math.log(high / lower) : (lower + high) / 2;
	}
	/** Returns the whole run as one group. Of several operations, any may be at its best: only a single one is cached. */
	function wholeLevel(counted, bins) {
		const [first, ...others] = counted;
		const names = counted.map(({ name }) => name);
		const make = () => ({
			bounds: new PlanBounds(named(names, counted.map(wholeRunDistributions)), bins, null),
			weights: [1],
			pieces: 1,
			outside: 0,
			operations_of_a_piece: Number.POSITIVE_INFINITY
		});
		return first === void 0 || others.length > 0 ? make() : cachedLevel(first.cells, bins, names, make);
	}
	/** Returns the distributions of a whole run. A bucket of one nanosecond is an exact latency. */
	function wholeRunDistributions({ cells, part }) {
		const total = totalOf(cells);
		const all = cells.counts.map((count, at) => {
			const [lower = 0, upper = null] = [cells.lower_ns[at], cells.upper_ns[at]];
			return {
				lower,
				upper: upper !== null && upper - lower === 1 ? lower : upper,
				ratio: count / total
			};
		});
		const isContinuous = all.some(({ lower, upper }) => lower !== upper);
		return distributionsOfCells([all], () => representatives(all, cells.counts, part.sum_ns), isContinuous);
	}
	/** Returns a latency for each bucket. All are shifted so that their sum equals the exact sum, if it is known. */
	function representatives(cells, counts, sumNs) {
		const middle = cells.map((cell) => cell.lower === cell.upper ? cell.lower : middleOf$1(cell));
		if (sumNs === null || cells.some(({ upper }) => upper === null)) return middle;
		const added = (values) => values.reduce((sum, value, at) => sum + value * (counts[at] ?? 0), 0);
		const gap = sumNs - added(middle);
		const room = cells.map(({ lower, upper }, at) => {
			const value = middle[at] ?? 0;
			return gap > 0 ? (upper ?? value) - value : value - lower;
		});
		const reach = added(room);
		const share = reach > 0 ? Math.min(1, Math.abs(gap) / reach) : 0;
		return middle.map((value, at) => value + Math.sign(gap) * share * (room[at] ?? 0));
	}
	// src/offline/transactions.ts
	/** Limit of work for plans with random counts or several operations: about two seconds. */
	var MOST_POINTS = 15e8;
	/** Judges a question about transactions. Returns a sentence if the page cannot. */
	function judgeTransactions(run, question) {
		if (onlyStageOf(question.plan) !== void 0) return judgePlan(run, question);
		try {
			return withinWork(MOST_POINTS, () => judgePlan(run, question));
		} catch (error) {
			if (error instanceof TooManyCounts) return `The counts have more than 256 combinations, which are not added up.`;
			if (error instanceof TooMuchWork) return `This plan takes more than two seconds in a page. ${ELSEWHERE}`;
			throw error;
		}
	}
	var ELSEWHERE = "Write it as a budget document, plan.json, and ask the files themselves: tailroom judge FILE --budget plan.json";
	var NO_MODEL = "The slices of this record are not in the page, which answers about single operations alone.";
	var NO_JOINT_MODEL = `The page has no common slices of these operations. ${ELSEWHERE}`;
	function judgePlan(run, question) {
		if (run.unknown !== "") return noAnswer("metadata", run.unknown);
		const operations = [];
		for (const name of operationNames(question.plan)) {
			const chosen = operationsOf(run, {
				operation: name,
				clock: null
			});
			if (typeof chosen === "string") return noAnswer(name === "operation" ? "metadata" : "samples", chosen);
			const [operation, ...others] = chosen;
			if (operation === void 0 || others.length > 0) return "A stage of a transaction is asked of one operation.";
			operations.push({
				name,
				operation
			});
		}
		const transactions = measuredOf(run, question);
		if (typeof transactions === "string") return transactions;
		const evidence = evidenceOf(run, operations, transactions, question, false);
		if (evidence === null) return operations.length > 1 ? NO_JOINT_MODEL : NO_MODEL;
		const recorded = judgeEvidence(question, evidence);
		const unreliable = [...operations.map(({ operation }) => reliabilityOf(operation, operationLateNs(question))), transactions && reliabilityOf(transactions, lateLimit(question.window_ns))].flatMap((slices) => slices ?? []);
		if (recorded.judgement.verdict !== "FAIL" || unreliable.length === 0) return recorded;
		const best = evidenceOf(run, operations, transactions, question, true);
		if (best === null) return `${unreliable[0]?.text ?? ""}: whether this FAIL rests on that is not in the page. ${ELSEWHERE}`;
		const judgement = standingOf(recorded.judgement, judgeEvidence(question, best).judgement);
		const fell = judgement.verdict !== "FAIL";
		const note = `${unreliable[0]?.text ?? ""}${fell ? "; without them this is no FAIL" : ""}`;
		return answerOf$1(judgement, {
			basis: recorded.basis,
			note,
			restsOnUnreliable: fell
		});
	}
	/** Returns the lateness tolerated for single operations: sequential ones share the window equally. */
	var operationLateNs = ({ plan, window_ns }) => lateLimit(Math.floor(window_ns / plan.reduce((sum, stage) => sum + depthOf(stage), 0)));
	/** Returns the measured transactions; `null` without any, or the reason why their name is ambiguous. */
	function measuredOf(run, { plan }) {
		const index = run.named["transaction"];
		if (typeof index === "string") return index;
		return plan.some(({ operation }) => operation === "transaction") ? null : run.operations[index ?? -1] ?? null;
	}
	function evidenceOf(run, asOrdered, transactions, question, isAtBest) {
		const { operations, joint } = inModelOrder(run, asOrdered);
		const [first] = operations;
		if (first === void 0) return null;
		const { operation } = first;
		const atBest = operations.map((named) => isAtBest ? reliabilityOf(named.operation, operationLateNs(question))?.at_best ?? null : null);
		const model = operations.length > 1 ? jointModelOf(joint, atBest) : modelOf(operation, atBest[0] ?? null);
		if (!model) return null;
		const counted = operations.flatMap(({ name, operation: { cells, best } }, place) => {
			const at = atBest[place] ?? null;
			const [counts, part] = [at === null ? cells : best[at], model.parts[place]];
			return counts === void 0 || part === void 0 ? [] : [{
				name,
				cells: counts,
				part
			}];
		});
		const { issued } = transactions ?? {};
		const transfer = issued ? transferOf(question.plan, issued) : null;
		const bearing = transactions !== null && transfer !== null && totalOf(transactions.cells) > 0 ? transactions : null;
		const bestAt = isAtBest && bearing ? reliabilityOf(bearing, lateLimit(question.window_ns))?.at_best ?? -1 : -1;
		const measured = bearing && transfer ? measuredResult(bearing, bearing.best[bestAt] ?? bearing.cells, question, transfer) : null;
		return {
			counted,
			model,
			load: loadOf(bearing ?? asOrdered.map((named) => named.operation).find(isGeneratorUnreliable) ?? operation),
			measured
		};
	}
	var modelOf = (operation, at) => at === null ? operation.model : operation.best_models[at];
	/** Returns the model for each operation's index of best-case counts (`null`: as recorded); `null` if missing. */
	function jointModelOf(joint, atBest) {
		if (joint === null || atBest.every((at) => at === null)) return joint?.model ?? null;
		return joint.best.find(({ at_best }) => at_best.join() === atBest.join())?.model ?? null;
	}
	/** Returns whether the load generator prevents a proven verdict. */
	function isGeneratorUnreliable(operation) {
		const { isTooLittle, isTooMuch } = loadOf(operation);
		return isTooLittle || isTooMuch || operation.load.closed_loop || operation.load.is_production;
	}
	/** Returns the operations in the order of the page's joint model. The order of stages does not affect the time. */
	function inModelOrder(run, operations) {
		const places = operations.map(({ operation }) => run.operations.indexOf(operation));
		const joint = run.joint.find((each) => each.operations.join() === places.join()) ?? run.joint.find((each) => [...each.operations].sort().join() === [...places].sort().join());
		return {
			operations: joint?.operations.flatMap((place) => operations[places.indexOf(place)] ?? []) ?? operations,
			joint: joint ?? null
		};
	}
	function measuredResult({ issued }, cells, { window_ns }, transfer) {
		if (issued === null) return null;
		const total = totalOf(cells);
		const late = atOrOver(cells, window_ns);
		const factor = factorAt(cells, window_ns);
		const within = {
			lower: total - late.upper,
			upper: total - late.lower
		};
		return {
			observed: {
				lower: within.lower / total,
				upper: within.upper / total
			},
			confident: {
				lower: 1 - shareUpper(late.upper / factor, total / factor),
				upper: 1 - shareLower(late.lower / factor, total / factor)
			},
			within,
			total,
			transfer,
			contradicts: issued.contradicts
		};
	}
	function judgeEvidence(question, { counted, model, load, measured }) {
		let answer;
		const modelled = () => {
			answer ??= modelAnswer(counted, model, question);
			return answer;
		};
		const basis = `Modelled from ${formatInteger(counted.reduce((sum, { cells }) => sum + totalOf(cells), 0))} operations`;
		const ofModel = () => answerOf$1(judgeModel(question, modelled(), load), { basis });
		if (measured === null) return ofModel();
		const isEnough = measured.total >= 100 || decide(measured.confident, question.objective) === "FAIL";
		const inTime = `${formatInteger(measured.within.lower)} of ${formatInteger(measured.total)} measured transactions in time`;
		if (measured.transfer === "exact") {
			if (!isEnough && !measured.contradicts) return ofModel();
			return answerOf$1(judgeMeasured(question, measured, load), { basis: inTime });
		}
		if (!(measured.transfer !== "beside" && isEnough) && !measured.contradicts) return ofModel();
		const trusted = measured.contradicts ? null : modelled();
		const inRun = along(measured.transfer, trusted?.observed ?? NOTHING_KNOWN, measured.observed);
		const inNext = along(measured.transfer, trusted?.confident ?? NOTHING_KNOWN, measured.confident);
		if (trusted !== null && isSame(inRun, trusted.observed) && isSame(inNext, trusted.confident)) return ofModel();
		const decides = trusted === null || !isSame(inRun, trusted.observed);
		const causes = trusted === null ? [{
			reason: "dependence",
			without: NOTHING_KNOWN
		}] : [{
			reason: "resolution",
			without: middleOf(trusted)
		}];
		const isTooFew = trusted !== null && !decides && trusted.blocks < 100;
		return answerOf$1(judge(load, {
			inRun,
			inNext,
			objective: question.objective,
			causes,
			isTooFew
		}), { basis: `${inTime}, of another plan` });
	}
	function along(transfer, modelled, counted) {
		if (transfer !== "no-later" && transfer !== "no-earlier") return modelled;
		const pick = transfer === "no-later" ? Math.max : Math.min;
		return {
			lower: pick(modelled.lower, counted.lower),
			upper: pick(modelled.upper, counted.upper)
		};
	}
	var isSame = (a, b) => a.lower === b.lower && a.upper === b.upper;
	/** Computes the estimate, which is slow: call it only to choose between two causes. */
	function middleOf(model) {
		const estimate = model.estimate();
		return {
			lower: estimate,
			upper: estimate
		};
	}
	function judgeMeasured({ objective }, measured, load) {
		const { observed, confident } = measured;
		const middle = (observed.lower + observed.upper) / 2;
		return judge(load, {
			inRun: observed,
			inNext: confident,
			objective,
			causes: observed.lower < observed.upper ? [{
				reason: "resolution",
				without: {
					lower: middle,
					upper: middle
				}
			}] : [],
			isTooFew: measured.total < 100
		});
	}
	function judgeModel({ objective }, model, load) {
		const isOpen = decide(load.observed(model.observed), objective) === "INDETERMINATE";
		const without = isOpen && (load.isTooLittle || load.isTooMuch) ? middleOf(model) : model.observed;
		return judge(load, {
			inRun: model.observed,
			inNext: model.confident,
			objective,
			causes: isOpen ? [{
				reason: "resolution",
				without
			}] : [],
			isTooFew: model.blocks < 100
		});
	}
	// src/offline/answers.ts
	/** Returns the answer, or a sentence on why the page has none. */
	function answerTo(run, question) {
		switch (question.kind) {
			case "limits": return judgeLimits(run, question);
			case "transactions": return judgeTransactions(run, question);
			case "rates": return judgeRates(run, question);
			case "completion": return judgeCompletion(run, question);
			case "parts": return combineDemands(question.parts.map((part) => answerTo(run, part)));
		}
	}
	/** Combines the answers to several demands, all of which must be met. */
	function combineDemands(parts) {
		const open = parts.find((part) => typeof part === "string");
		if (open !== void 0) return open;
		const answers = parts.filter((part) => typeof part !== "string");
		const all = combined(answers.map(({ judgement }) => judgement));
		const fallen = answers.find(({ restsOnUnreliable }) => restsOnUnreliable);
		const deciding = all.verdict === "INDETERMINATE" && fallen ? fallen.judgement : all;
		const judgement = {
			...deciding,
			observed: {
				...deciding.observed,
				lower: null,
				upper: null
			},
			proven: {
				...deciding.proven,
				lower: null,
				upper: null
			}
		};
		return answerOf$1(judgement, {
			rows: answers.flatMap(({ rows }) => rows),
			note: fallen?.note ?? "",
			basis: answers.flatMap(({ basis }) => basis || []).join("; "),
			restsOnUnreliable: fallen !== void 0 && judgement.verdict !== "FAIL"
		});
	}
	/** Judges whether the rates of a run are above their minimums. */
	function judgeRates(run, { floors }) {
		return ofWhole(run, ({ rates }) => combined(floors.map(({ quantity, above }) => {
			const [lower, upper] = rates[quantity] ?? [];
			if (lower === void 0 || upper === void 0) return undecided("metadata");
			if (lower > above) return decided("PASS");
			return upper <= above ? decided("FAIL") : undecided("resolution");
		})));
	}
	/** Judges whether a run completed at its load and lasted long enough. */
	function judgeCompletion(run, { duration_ns: durationNs }) {
		return ofWhole(run, ({ completed, lasted_ns: lastedNs, is_load_unclear: isLoadUnclear }) => {
			if (completed === false) return decided("FAIL");
			if (isLoadUnclear) return undecided("generator");
			if (lastedNs < durationNs) return undecided("duration");
			return completed === null ? undecided("metadata") : decided("PASS");
		});
	}
	function ofWhole(run, judgementOf) {
		if (run.unknown !== "") return noAnswer("metadata", run.unknown);
		if (run.whole === null) return noAnswer("samples", "no requests have been measured");
		return answerOf$1(judgementOf(run.whole));
	}
	// src/offline/elements.ts
	function element(name, attributes, ...children) {
		return filled(document.createElement(name), attributes, children);
	}
	function drawing(name, attributes, ...children) {
		return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
	}
	function filled(made, attributes, children) {
		for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
		made.append(...children);
		return made;
	}
	/** Returns a table in a scrolling region. The first column has the row headers. */
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
	/** Smallest visible range, in slices. */
	var FEWEST_PIECES = 4;
	/** Returns the chart with its buttons. */
	function courseOf(course, name) {
		const size = course.start_ns.length;
		let shown = {
			from: 0,
			to: size
		};
		const picture = element("div", {});
		const status = element("p", {
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
			status.textContent = `${textAt(course, shown.from)} to ${textAt(course, shown.to)}`;
			wholeRun.disabled = length === size;
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
		const wholeRun = button("Whole run", () => show(0, size));
		const buttons = element("p", { class: "buttons" }, closer, out, earlier, later, wholeRun);
		show(0, size);
		return element("figure", { "aria-label": `Course of ${name}` }, picture, status, buttons);
	}
	var textAt = (course, piece) => {
		const last = course.start_ns.length - 1;
		const at = piece > last ? (course.start_ns[last] ?? 0) + (course.duration_ns[last] ?? 0) : course.start_ns[piece] ?? 0;
		return at === 0 ? "the beginning" : formatSpan(at);
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
			}, formatLatency(at)));
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
		zoomByDrag(svg, (share) => from + Math.max(0, (share * WIDTH - LEFT) / 736) * (to - from), show);
		return svg;
	}
	/** Zooms to the range over which the pointer is dragged. */
	function zoomByDrag(svg, pieceAt, show) {
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
	/** Decodes the evidence of a page: deflated JSON in base64. */
	async function unpack(text) {
		const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
		return JSON.parse(await new Response(stream).text());
	}
	// src/offline/question.ts
	var SHARE = /^\s*(?:p\s?(\d{1,3}(?:\.\d{1,13})?)(?:\s*%)?|(\d{1,3}(?:\.\d{1,13})?)\s*%)(?:\s+of\b)?\s*/i;
	var OPERATION = /^(?!\d)[^\s<≤=>%]+(?: (?!\d)[^\s<≤=>%]+)*/;
	var HOW = "Write it as p99 read < 1ms, 99.9% get < 10ms or p99.9 < 5ms.";
	/** Returns the question in a text, or a sentence on what is missing. */
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
			kind: "limits",
			operation: operation || "operation",
			clock: null,
			limits: [{
				kind: "percentile",
				threshold_ns: thresholdNs,
				quantile
			}]
		};
	}
	var MOST_OPERATIONS = 1 << 20;
	/** Returns the question in the fields, or a sentence on what is wrong. */
	function transactionsOf(fields) {
		const plan = [];
		for (const typed of fields.stages) {
			const stage = stageOf(typed);
			if (typeof stage === "string") return stage;
			plan.push(stage);
		}
		const windowNs = durationOf(fields.window.trim());
		if (typeof windowNs === "string") return windowNs;
		const digits = PERCENT.exec(fields.share)?.[1];
		const objective = digits === void 0 ? 0 : shareOf(digits);
		if (!(objective > 0 && objective < 1)) return "A share lies between 0 and 100\xA0%, such as 99.9%.";
		return {
			kind: "transactions",
			plan,
			window_ns: windowNs,
			objective
		};
	}
	var PERCENT = /^\s*(\d{1,3}(?:\.\d{1,13})?)\s*%?\s*$/;
	function stageOf({ operation, count: typed, scheduling, fanOut: atOnce }) {
		const count = typed.includes(":") ? randomCountOf(typed) : wholeOf(typed) ?? FEW_OR_MANY;
		if (typeof count === "string") return count;
		if (typeof count !== "number" && scheduling === "pool") return "A pool needs a certain number of operations.";
		const fanOut = scheduling === "waves" || scheduling === "pool" ? wholeOf(atOnce) : 1;
		if (fanOut === null) return "How many operations are under way at once is a whole number from 1 on.";
		return {
			operation,
			count,
			fan_out: fanOut,
			scheduling,
			overhead_ns: 0
		};
	}
	var FEW_OR_MANY = "A transaction has 1 to 1,048,576 operations.";
	function wholeOf(text) {
		const number = /^\s*\d{1,7}\s*$/.test(text) ? Number(text) : 0;
		return number >= 1 && number <= MOST_OPERATIONS ? number : null;
	}
	/** Parses numbers of operations with probabilities, `100: 90%, 250: 10%`; returns a sentence if invalid. */
	function randomCountOf(text) {
		const weights = /* @__PURE__ */ new Map();
		for (const part of text.split(",")) {
			const [number = "", percent = ""] = part.split(":");
			const count = wholeOf(number);
			const digits = PERCENT.exec(percent)?.[1];
			if (count === null || digits === void 0 || weights.has(count)) return "Write a random number of operations as 100: 90%, 250: 10%.";
			weights.set(count, shareOf(digits));
		}
		if (weights.size > 256) return `At most 256 numbers of operations are possible.`;
		const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
		if (Math.abs(total - 1) > 1e-9) return "The shares of the numbers of operations add up to 100\xA0%.";
		return [...weights].sort(([first], [second]) => first - second);
	}
	/** Converts 99.9 to 0.999 by moving the decimal point in the text: a division would give another double. */
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
	/** Parses a duration into whole nanoseconds; returns a sentence if it is invalid. */
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
	// src/offline/verdictText.ts
	function scopesText(observed, proven, objective, isCounted) {
		const text = (scope) => {
			const word = scope.verdict === "INDETERMINATE" ? "undecided" : scope.verdict;
			if (scope.lower === null || scope.upper === null) return word;
			return `${word}: ${shareText(scope.lower, scope.upper, {
				limit: objective,
				counted: isCounted
			})}`;
		};
		return `This run ${text(observed)} · for the next run ${text(proven)}`;
	}
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
				`${operation}, ${clock} time: ${formatLatency(limit.threshold_ns)}`,
				`${counts} of ${formatInteger(total)}${worth}`,
				shareText(observed.lower, observed.upper, { limit: allowed }),
				shareText(proven.lower, proven.upper, { limit: allowed })
			];
		}));
	}
	// src/offline/questionForm.ts
	function asking(run) {
		const there = [...new Set(run.operations.map(({ name }) => name))].join(", ");
		return element("section", {}, element("h2", {}, "Ask it something else"), element("p", { class: "soft" }, `A share, an operation (${there || "none is counted"}) and a time: p99.9 < 5ms, 99.9% read < 1ms.`), ...aboutOperations(run), ...run.operations.some(({ model }) => model !== null) ? aboutTransactions(run) : []);
	}
	function aboutOperations(run) {
		const field = element("input", {
			name: "question",
			placeholder: "p99 read < 1ms",
			autocomplete: "off"
		});
		const label = element("label", {}, "Question", field);
		return questionForm(run, {
			name: `Ask ${run.title}`,
			button: "Answer",
			fields: [label]
		}, () => questionOf(field.value));
	}
	var SCHEDULINGS = {
		sequential: "one after another",
		parallel: "all at once",
		waves: "in waves of",
		pool: "by a pool of"
	};
	function aboutTransactions(run) {
		const names = [...new Set(run.operations.flatMap(({ name, model }) => model === null ? [] : name))];
		const answering = [.../* @__PURE__ */ new Set([...Object.keys(run.named), ...names])].filter((name) => {
			const place = run.named[name];
			return typeof place === "number" && run.operations[place]?.model != null && name !== "transaction";
		});
		const window = element("input", {
			name: "window",
			value: "1s",
			size: 8
		});
		const share = element("input", {
			name: "share",
			value: "99.9%",
			size: 8
		});
		const stages = [stageInputs(answering, "")];
		const fields = element("div", { class: "stages" }, ...stages.map(({ labels }) => element("div", {}, ...labels)));
		const more = element("button", { type: "button" }, "And then another operation");
		more.addEventListener("click", () => {
			const stage = stageInputs(answering, `-${stages.length + 1}`);
			stages.push(stage);
			fields.append(element("div", {}, element("span", {}, "and then"), ...stage.labels));
			more.disabled = stages.length >= MOST_STAGES;
		});
		const read = () => transactionsOf({
			stages: stages.map((stage) => stage.read()),
			window: window.value,
			share: share.value
		});
		return [element("p", { class: "soft" }, "A transaction of several operations, and the share of transactions that must keep a time. A random number of them: 100: 90%, 250: 10%."), ...questionForm(run, {
			name: `Ask about transactions of ${run.title}`,
			button: "Answer for transactions",
			fields: [
				fields,
				...run.joint.length > 0 ? [more] : [],
				element("label", {}, "Within", window),
				element("label", {}, "For a share of", share)
			]
		}, read)];
	}
	/** Most stages in the form; budget documents can have more. */
	var MOST_STAGES = 4;
	function stageInputs(names, suffix) {
		const count = element("input", {
			name: `count${suffix}`,
			value: suffix === "" ? "250" : "1",
			size: 12
		});
		const operation = options(Object.fromEntries(names.map((name) => [name, name])), `operation${suffix}`);
		const scheduling = options(SCHEDULINGS, `scheduling${suffix}`);
		const fanOut = element("input", {
			name: `at-once${suffix}`,
			value: "16",
			inputmode: "numeric",
			size: 4,
			disabled: ""
		});
		scheduling.addEventListener("change", () => {
			fanOut.disabled = scheduling.value === "sequential" || scheduling.value === "parallel";
		});
		return {
			labels: [
				element("label", {}, "Operations", count),
				element("label", {}, "Operation", operation),
				element("label", {}, "How", scheduling),
				element("label", {}, "At once", fanOut)
			],
			read: () => ({
				operation: operation.value,
				count: count.value,
				scheduling: scheduling.value,
				fanOut: fanOut.value
			})
		};
	}
	function options(texts, name) {
		const entries = Object.entries(texts).map(([value, text]) => element("option", { value }, text));
		return element("select", { name }, ...entries);
	}
	function questionForm(run, { name, button, fields }, read) {
		const place = element("div", { role: "status" });
		const form = element("form", { "aria-label": name }, ...fields, element("button", { type: "submit" }, button));
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			const question = read();
			if (typeof question === "string") {
				place.replaceChildren(element("p", { role: "alert" }, question));
				return;
			}
			place.replaceChildren(element("p", {}, "Working it out …"));
			setTimeout(() => {
				const answer = answerTo(run, question);
				const shown = typeof answer === "string" ? element("p", { role: "alert" }, answer) : answerOf(answer, question);
				place.replaceChildren(shown);
			}, 20);
		});
		return [form, place];
	}
	function answerOf(answer, question) {
		const { judgement, rows, note, basis } = answer;
		const isCounted = question.kind !== "transactions";
		return element("article", {
			class: "answer",
			"data-verdict": judgement.verdict,
			"data-strength": judgement.strength ?? ""
		}, ...question.kind === "transactions" ? [element("p", { class: "question" }, textOf(question))] : [], element("p", { class: "sign" }, answer.words), element("p", {}, scopesText(judgement.observed, judgement.proven, requiredShare(question), isCounted)), ...digits(judgement), ...basis ? [element("p", {}, sentence(basis))] : [], ...note ? [element("p", {}, sentence(note))] : [], ...rows.length > 0 ? [limitTable(rows)] : []);
	}
	function requiredShare(question) {
		if (question.kind === "transactions") return question.objective;
		const limit = question.kind === "limits" ? question.limits[0] : void 0;
		return limit?.kind === "percentile" ? limit.quantile : null;
	}
	function textOf({ plan, objective, window_ns }) {
		return `${exactPercent(objective)} of transactions: ${plan.map(stageText).join(", then ")}, within ${formatLatency(window_ns)}`;
	}
	function stageText({ count, operation, scheduling, fan_out: fanOut }) {
		const size = scheduling === "waves" || scheduling === "pool" ? ` ${fanOut}` : "";
		return `${typeof count === "number" ? String(count) : count.map(([each, weight]) => `${each} (${exactPercent(weight)})`).join(" or ")} ${operation}, ${SCHEDULINGS[scheduling]}${size}`;
	}
	/** Renders hidden elements with all digits of the bounds, for programs that read the page. */
	var digits = ({ observed, proven }) => Object.entries({
		observed,
		proven
	}).flatMap(([name, scope]) => ["lower", "upper"].map((side) => element("data", {
		class: `${name}-${side}`,
		value: scope[side] === null ? "" : String(scope[side])
	})));
	// src/offline/storedVerdicts.ts
	/** Returns verdict and strength of a stored verdict, parsed from its words. */
	function shownOf({ words }) {
		if (words.startsWith("Undecided")) return {
			verdict: "INDETERMINATE",
			strength: ""
		};
		return {
			verdict: words.slice(0, 4),
			strength: words.endsWith("proven") ? "proven" : "observed"
		};
	}
	/** Returns the page's answer to a stored question, `null` if it cannot judge it, and whether both verdicts agree. */
	function compareWithStored(run, stored) {
		const question = stored.asked_again;
		const answer = question === null ? "" : answerTo(run, question);
		if (question === null || typeof answer === "string") return {
			answer: null,
			sameness: {
				isSame: null,
				text: "As judged when the page was made; tailroom verify works it out again."
			}
		};
		const showsLate = question.kind === "limits" && question.limits.some(({ kind }) => kind === "exceedance");
		const differences = [
			...answer.words === stored.words ? [] : [answer.words],
			...differing(answer.judgement.observed, stored, "observed", showsLate),
			...differing(answer.judgement.proven, stored, "proven", showsLate)
		];
		const isSame = differences.length === 0;
		return {
			answer,
			sameness: {
				isSame,
				text: isSame ? "Worked out again here from the counts in this page: the same verdict and the same bounds." : `Worked out again here, and it differs: ${differences.join("; ")}.`
			}
		};
	}
	/**
	* Returns the differences between two scopes. Counted bounds of this run must be equal in every bit. Bounds from a
	* model, which are sums on a grid, and bounds for the next run must be equal as printed.
	*/
	function differing(worked, stored, name, showsLate) {
		const before = stored[name];
		const here = showsLate ? restOf(worked) : worked;
		if (here.verdict !== before.verdict) return [`${name} ${here.verdict}`];
		if (here.lower === null || here.upper === null || before.lower === null || before.upper === null) return here.lower === before.lower && here.upper === before.upper ? [] : [`${name} bounds`];
		if (name === "observed" && here.lower === before.lower && here.upper === before.upper) return [];
		const text = ({ lower, upper }) => shareText(lower ?? 0, upper ?? 1, { limit: stored.asked });
		return !(name === "observed" && stored.is_counted) && text(here) === text(before) ? [] : [`${name} ${text(here)} for ${text(before)}`];
	}
	var restOf = ({ verdict, lower, upper }) => ({
		verdict,
		lower: upper === null ? null : 1 - upper,
		upper: lower === null ? null : 1 - lower
	});
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
		const { verdict, strength } = shownOf(stored);
		const worked = element("p", { class: "worked" }, "Being worked out again …");
		const article = element("article", {
			class: "answer",
			"data-verdict": verdict,
			"data-strength": strength,
			"aria-busy": "true"
		}, element("p", { class: "question" }, stored.question || stored.title), element("p", { class: "sign" }, stored.words), element("p", { class: "sentence" }, sentence(stored.headline)), element("p", {}, sentence(stored.reason_text)), element("p", {}, scopesText(stored.observed, stored.proven, stored.asked, stored.is_counted)), worked);
		setTimeout(() => {
			const { answer, sameness } = compareWithStored(run, stored);
			worked.textContent = sameness.text;
			worked.dataset["same"] = String(sameness.isSame);
			if (answer !== null && answer.rows.length > 0) article.append(limitTable(answer.rows));
			article.removeAttribute("aria-busy");
		}, 50);
		return article;
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
				return upper === null ? `at least ${formatLatency(lower, "down")}` : formatLatencyInterval(lower, upper);
			})
		]));
	}
	var nameOf = ({ name, clock }) => `${name}, ${clock} time`;
	function origin(evidence) {
		const hasModels = evidence.runs.some(({ operations }) => operations.some(({ model }) => model !== null));
		const rows = evidence.files.map(({ name, sha256, bytes }) => [
			name,
			`${formatInteger(bytes)} bytes`,
			sha256
		]);
		return [
			element("h2", {}, "What this page shows by itself"),
			element("p", {}, "Verdicts are judged here from the counts in the page: limits on the share of slow operations, rates, and transactions, measured or modelled from groups of similar slices. How far slow operations come together, which slices are alike, and whether measured transactions contradict the model was computed from every slice of the files when the page was made. Against the files themselves, tailroom verify works out everything in their evidence pack."),
			...hasModels ? [] : [element("p", {}, WITHOUT_MODELS)],
			table([
				"File",
				"Size",
				"SHA-256"
			], rows)
		];
	}
	var WITHOUT_MODELS = "The groups of slices are not in this page, because nothing was counted or it would be too large with them: it works out no transactions, and shows verdicts on them as they were judged.";
	if (typeof document !== "undefined") begin();
	var limitsOf = (over, total) => [shareLower(over, total), shareUpper(over, total)];
	exports.answerTo = answerTo;
	exports.compareWithStored = compareWithStored;
	exports.limitsOf = limitsOf;
	exports.questionOf = questionOf;
	return exports;
})({});
