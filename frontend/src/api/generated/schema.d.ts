// Generated from docs/contracts/openapi.json by `npm run generate -w frontend`. Do not edit.

export interface paths {
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organisation's runs, newest first
         * @description Lists runs with their verdicts in a word.
         */
        get: operations["list_runs"];
        put?: never;
        /**
         * A run begins
         * @description Stores what is going to be measured; sending the same again is harmless.
         */
        post: operations["announce_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One run
         * @description Everything about a run besides its distributions.
         */
        get: operations["get_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happens to a run, as it happens
         * @description Streams events until the page leaves, the stream is an hour old, or the server goes down.
         */
        get: operations["watch_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/exceedance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shares of slow operations of a run
         * @description Every operation, clock and exact threshold, with confidence limits and, where one is set, the limit.
         */
        get: operations["get_run_exceedance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Nothing more will come
         * @description Ends the run as soon as everything up to the named last intervals has arrived.
         */
        post: operations["finish_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/intervals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What was measured
         * @description Stores a batch as a whole or not at all; what the answer acknowledges is durable.
         */
        post: operations["send_intervals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/percentiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Percentile curves of a run
         * @description Every operation and clock; each quantile with the edges of the bucket that holds it.
         */
        get: operations["get_run_percentiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a run to stop
         * @description Tells the agent, with the answer to its next batch, to end early. Asking again is harmless.
         */
        post: operations["stop_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run over time
         * @description Counts and percentiles over time; stretches are gathered so that there are at most `max_points`.
         */
        get: operations["get_run_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description Who asks and how they are known; 401 when nobody is signed in.
         */
        get: operations["get_session"];
        put?: never;
        /**
         * Sign in with a viewer's token
         * @description Keeps a session in a cookie that scripts cannot read and other sites cannot send.
         */
        post: operations["create_session"];
        /**
         * Sign out
         * @description Forgets the session in this browser; harmless when there is none.
         */
        delete: operations["delete_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process lives
         * @description Answers as long as the process does.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process can do its work
         * @description Asks the database, the schema and Valkey.
         */
        get: operations["readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AgentVersion
         * @description Which agent measured.
         */
        AgentVersion: {
            /** @default null */
            commit: string | null;
            version: string;
        };
        /**
         * Announcement
         * @description Body of `POST /api/v1/runs`.
         */
        Announcement: {
            agent: components["schemas"]["AgentVersion"];
            host: Record<string, never>;
            plan: Record<string, never>;
            planned_duration_ns: number;
            run_id: string;
            started_at_unix_ns: number;
            title: string;
            /** @enum {unknown} */
            workload: "act-storage" | "fraud-transaction";
        };
        /**
         * AnnouncementAnswer
         * @description Answer to an announcement.
         */
        AnnouncementAnswer: {
            /** @enum {unknown} */
            directive: "continue" | "stop";
            run_id: string;
        };
        /**
         * Batch
         * @description Body of `POST /api/v1/runs/{run_id}/intervals`.
         */
        Batch: {
            intervals: components["schemas"]["Interval"][];
            series: components["schemas"]["SeriesDefinition"][];
        };
        /**
         * BatchAnswer
         * @description Answer to a batch: what is durable, what is missing, and whether to go on.
         */
        BatchAnswer: {
            acknowledged: {
                [key: string]: number;
            };
            /** @enum {unknown} */
            directive: "continue" | "stop";
            missing: components["schemas"]["Missing"][];
        };
        /**
         * BudgetOut
         * @description The SLA that was judged.
         */
        BudgetOut: {
            /** Name */
            name: string;
            /** Question */
            question: string;
            /** Title */
            title: string;
            /** Version */
            version: number;
        };
        /**
         * CdfPointOut
         * @description Probability that a transaction takes at most `t_ns`.
         */
        CdfPointOut: {
            /** Estimate */
            estimate: number;
            /** Lower */
            lower: number;
            /** T Ns */
            t_ns: number;
            /** Upper */
            upper: number;
        };
        /**
         * CertificationOut
         * @description Whether the run was long enough for a certification, and what it would say.
         */
        CertificationOut: {
            /** Measured Duration Ns */
            measured_duration_ns: number;
            /** Reason Text */
            reason_text: string | null;
            /** Required Duration Ns */
            required_duration_ns: number;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
        };
        /**
         * CurveOut
         * @description Quantiles of one operation on one clock, dense towards 1, none beyond 1 − 1/n.
         */
        CurveOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "queue" | "operation";
            /** Count */
            count: number;
            /** Max Ns */
            max_ns: number | null;
            /** Miss Count */
            miss_count: number;
            /** Operation */
            operation: string;
            /** Points */
            points: components["schemas"]["QuantilePointOut"][];
        };
        /**
         * DisclosureOut
         * @description How much of what must be disclosed was disclosed.
         */
        DisclosureOut: {
            /** Given Count */
            given_count: number;
            /** Missing */
            missing: components["schemas"]["MissingDisclosure"][];
            /** Required Count */
            required_count: number;
        };
        /**
         * ExceedanceOut
         * @description Share of operations at or over a threshold; misses count as over.
         */
        ExceedanceOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "queue" | "operation";
            /** Confidence */
            confidence: number;
            /**
             * Limit Ratio
             * @description limit of the budget that judges this operation and clock
             */
            limit_ratio: number | null;
            /** Operation */
            operation: string;
            /** Over Count */
            over_count: number;
            /** Ratio */
            ratio: number | null;
            /**
             * Ratio Lower
             * @description one-sided lower confidence limit
             */
            ratio_lower: number | null;
            /**
             * Ratio Upper
             * @description one-sided upper confidence limit
             */
            ratio_upper: number | null;
            /** Threshold Ns */
            threshold_ns: number;
            /** Total Count */
            total_count: number;
        };
        /**
         * ExceedanceRowOut
         * @description Share of operations at or above one threshold, against its limit. Misses count as over.
         */
        ExceedanceRowOut: {
            /** Limit Ratio */
            limit_ratio: number;
            /** Over Count */
            over_count: number;
            /** Ratio */
            ratio: number | null;
            /** Ratio Lower */
            ratio_lower: number | null;
            /** Ratio Upper */
            ratio_upper: number | null;
            /** Threshold Ns */
            threshold_ns: number;
            /** Total Count */
            total_count: number;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
        };
        /**
         * ExceedancesOut
         * @description Exceedance table of a run.
         */
        ExceedancesOut: {
            /** Rows */
            rows: components["schemas"]["ExceedanceOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
        };
        /**
         * ExceedanceVerdictOut
         * @description The exceedance part of a verdict.
         */
        ExceedanceVerdictOut: {
            certification: components["schemas"]["CertificationOut"] | null;
            /** Clock */
            clock: string;
            /** Operation */
            operation: string;
            /** Rows */
            rows: components["schemas"]["ExceedanceRowOut"][];
        };
        /**
         * Finish
         * @description Body of `POST /api/v1/runs/{run_id}/finish`.
         */
        Finish: {
            duration_ns: number;
            last_seq: {
                [key: string]: number;
            };
            /** @enum {unknown} */
            outcome: "completed" | "failed" | "interrupted" | "stopped";
            /** @default null */
            reason: string | null;
        };
        /**
         * FinishAnswer
         * @description Answer to a finish: whether everything has arrived.
         */
        FinishAnswer: {
            complete: boolean;
            /** @enum {unknown} */
            directive: "continue" | "stop";
            missing: components["schemas"]["Missing"][];
        };
        /**
         * Health
         * @description The process answers.
         */
        Health: {
            /**
             * Status
             * @default alive
             * @constant
             */
            status: "alive";
        };
        /**
         * Interval
         * @description What happened inside one stretch of one series.
         */
        Interval: {
            count: number;
            duration_ns: number;
            errors: number;
            /** @default null */
            histogram: string | null;
            lateness_max_ns: number;
            /** @default null */
            max_ns: number | null;
            /** @default null */
            min_ns: number | null;
            pins: number[];
            seq: number;
            series: number;
            start_ns: number;
            sum_ns: number;
            /** @default null */
            target_count: number | null;
            timeouts: number;
            unfinished: number;
        };
        /**
         * Layout
         * @description Bucket layout of a histogram series; there is one so far.
         */
        Layout: {
            /** @enum {unknown} */
            significant_digits: 3;
            /** @enum {unknown} */
            t: "hdr";
            /** @enum {unknown} */
            unit_ns: 1000;
        };
        /**
         * LayoutOut
         * @description Bucket layout of a histogram series.
         */
        LayoutOut: {
            /** Significant Digits */
            significant_digits: number;
            /**
             * T
             * @constant
             */
            t: "hdr";
            /** Unit Ns */
            unit_ns: number;
        };
        /**
         * LimitOut
         * @description A limit that a budget of the run sets for this operation.
         */
        LimitOut: {
            /** Limit Ratio */
            limit_ratio: number;
            /** Threshold Ns */
            threshold_ns: number;
        };
        /**
         * LocatedProblem
         * @description One broken rule and where it was broken. What does not apply is null.
         */
        LocatedProblem: {
            /**
             * Field
             * @description name of the field, or path inside the request
             * @default null
             */
            field: string | null;
            /**
             * Reason
             * @description which rule is broken, and by what
             */
            reason: string;
            /**
             * Seq
             * @description sequence number of the interval
             * @default null
             */
            seq: number | null;
            /**
             * Series
             * @description number of the series
             * @default null
             */
            series: number | null;
        };
        /**
         * MeasuredTransactionsOut
         * @description Whole transactions as they were measured, beside the model.
         */
        MeasuredTransactionsOut: {
            /** Clock */
            clock: string;
            /** Dependence Factor */
            dependence_factor: number | null;
            /** Operation */
            operation: string;
            /** Quantile Lower Ns */
            quantile_lower_ns: number | null;
            /** Quantile Upper Ns */
            quantile_upper_ns: number | null;
            /** Ratio */
            ratio: number | null;
            /** Ratio Lower */
            ratio_lower: number | null;
            /** Ratio Upper */
            ratio_upper: number | null;
            /** Total Count */
            total_count: number;
            /** Variance Inflation */
            variance_inflation: number | null;
            /** Within Count */
            within_count: number;
        };
        /**
         * Missing
         * @description Intervals that are known to exist and have not arrived; both ends included.
         */
        Missing: {
            from_seq: number;
            series: number;
            to_seq: number;
        };
        /**
         * MissingDisclosure
         * @description A required fact about the circumstances that the run does not state.
         */
        MissingDisclosure: {
            /** Field */
            field: string;
            /** Label */
            label: string;
        };
        /**
         * MissingRange
         * @description Intervals that are known to exist and have not arrived.
         */
        MissingRange: {
            /** From Seq */
            from_seq: number;
            /** Series */
            series: number;
            /** To Seq */
            to_seq: number;
        };
        /**
         * OrganisationOut
         * @description An organisation, as shown.
         */
        OrganisationOut: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * PercentilePointOut
         * @description Percentiles of one stretch of time; a quantile is null where it has too few operations to be one.
         */
        PercentilePointOut: {
            /** Count */
            count: number;
            /** Duration Ns */
            duration_ns: number;
            /** Max Ns */
            max_ns: number | null;
            /** P50 Lower Ns */
            p50_lower_ns: number | null;
            /** P50 Upper Ns */
            p50_upper_ns: number | null;
            /** P99 Lower Ns */
            p99_lower_ns: number | null;
            /** P99 Upper Ns */
            p99_upper_ns: number | null;
            /** P999 Lower Ns */
            p999_lower_ns: number | null;
            /** P999 Upper Ns */
            p999_upper_ns: number | null;
            /** Start Ns */
            start_ns: number;
        };
        /**
         * PercentilesOut
         * @description Percentile curves of a run.
         */
        PercentilesOut: {
            /** Curves */
            curves: components["schemas"]["CurveOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
        };
        /**
         * ProblemDocument
         * @description Body of every refusal.
         */
        ProblemDocument: {
            /**
             * Code
             * @description short name a program can rely on
             */
            code: string;
            /**
             * Detail
             * @description what happened, where, why, and what to do
             */
            detail: string;
            /**
             * Problems
             * @description broken rules, the first 20
             */
            problems: components["schemas"]["LocatedProblem"][];
            /**
             * Request Id
             * @description names this request in the log
             * @default null
             */
            request_id: string | null;
            /**
             * Status
             * @description HTTP status
             */
            status: number;
            /**
             * Title
             * @description the kind of the refusal, the same for every occurrence
             */
            title: string;
            /**
             * Type
             * @description `/problems/<code>`
             */
            type: string;
        };
        /**
         * QuantilePointOut
         * @description Between which latencies a quantile lies; no upper end where it falls among the misses.
         */
        QuantilePointOut: {
            /** Lower Ns */
            lower_ns: number;
            /** Quantile */
            quantile: number;
            /** Upper Ns */
            upper_ns: number | null;
        };
        /**
         * Readiness
         * @description What works. Without Valkey everything is stored and shown, only later: that is `degraded`, not
         *     unavailable.
         */
        Readiness: {
            /** Database */
            database: boolean;
            /** Migrations */
            migrations: boolean;
            /**
             * Status
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable";
            /** Valkey */
            valkey: boolean;
        };
        /**
         * RunDetail
         * @description Everything about one run except its distributions.
         */
        RunDetail: {
            /** Agent */
            agent: {
                [key: string]: unknown;
            };
            /** Data Through Ns */
            data_through_ns: number;
            disclosure: components["schemas"]["DisclosureOut"];
            /** Host */
            host: {
                [key: string]: unknown;
            };
            /** Host Name */
            host_name: string | null;
            /**
             * Last Data At
             * @description when the last new interval was stored
             */
            last_data_at: string | null;
            /**
             * Measured Duration Ns
             * @description null until the agent has finished
             */
            measured_duration_ns: number | null;
            /** Missing */
            missing: components["schemas"]["MissingRange"][];
            /** Outcome */
            outcome: ("completed" | "stopped" | "failed" | "interrupted") | null;
            /** Outcome Reason */
            outcome_reason: string | null;
            /** Plan */
            plan: {
                [key: string]: unknown;
            };
            /** Planned Duration Ns */
            planned_duration_ns: number;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** Series */
            series: components["schemas"]["SeriesOut"][];
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "running" | "finishing" | "finished";
            /** Stop Requested At */
            stop_requested_at: string | null;
            /**
             * Target Name
             * @description the device or server that was measured
             */
            target_name: string | null;
            /** Title */
            title: string;
            /** Verdicts */
            verdicts: components["schemas"]["Verdict"][];
            /** Workload */
            workload: string;
        };
        /**
         * RunPage
         * @description A page of runs, newest first.
         */
        RunPage: {
            /**
             * Next Cursor
             * @description give it as `cursor` for the next page; null on the last one
             */
            next_cursor: string | null;
            /** Runs */
            runs: components["schemas"]["RunSummary"][];
            /**
             * Total
             * @description runs that match, on all pages
             */
            total: number;
        };
        /**
         * RunSummary
         * @description A run in a list.
         */
        RunSummary: {
            /** Host Name */
            host_name: string | null;
            /**
             * Last Data At
             * @description when the last new interval was stored
             */
            last_data_at: string | null;
            /**
             * Measured Duration Ns
             * @description null until the agent has finished
             */
            measured_duration_ns: number | null;
            /** Outcome */
            outcome: ("completed" | "stopped" | "failed" | "interrupted") | null;
            /** Planned Duration Ns */
            planned_duration_ns: number;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "running" | "finishing" | "finished";
            /** Title */
            title: string;
            /** Verdicts */
            verdicts: components["schemas"]["VerdictSummaryOut"][];
            /** Workload */
            workload: string;
        };
        /**
         * SeriesDefinition
         * @description What a series number stands for.
         */
        SeriesDefinition: {
            /** @enum {unknown} */
            clock: "operation" | "queue" | "response" | "service";
            /** @default null */
            device: string | null;
            host: string;
            /** @enum {unknown} */
            kind: "histogram" | "tick";
            /** @default null */
            layout: components["schemas"]["Layout"] | null;
            operation: string;
            /** @default main */
            phase: string;
            pin_thresholds_ns: number[];
            series_no: number;
            /** @default null */
            target_rate_per_s: number | null;
        };
        /**
         * SeriesOut
         * @description A series and how far its intervals have arrived.
         */
        SeriesOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "queue" | "operation";
            /**
             * Contiguous Seq
             * @description up to here nothing is missing; −1 for none
             */
            contiguous_seq: number;
            /** Device */
            device: string | null;
            /** Host */
            host: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "tick" | "histogram";
            layout: components["schemas"]["LayoutOut"] | null;
            /** Operation */
            operation: string;
            /** Phase */
            phase: string;
            /** Pin Thresholds Ns */
            pin_thresholds_ns: number[];
            /** Received Count */
            received_count: number;
            /** Series No */
            series_no: number;
            /** Target Rate Per S */
            target_rate_per_s: number | null;
        };
        /**
         * SessionOut
         * @description Who asks, and how they are known.
         */
        SessionOut: {
            /**
             * Access
             * @description `local`: this machine, without a token; `token`: an access token or a session made with one
             * @enum {string}
             */
            access: "local" | "token";
            organisation: components["schemas"]["OrganisationOut"];
            /**
             * Scope
             * @enum {string}
             */
            scope: "agent" | "viewer";
        };
        /**
         * SignIn
         * @description A viewer's token, to be kept as a session.
         */
        SignIn: {
            /**
             * Token
             * Format: password
             * @description as `tailroom token create` printed it
             */
            token: string;
        };
        /**
         * Tick
         * @description An interval of a tick series, as live pages get it.
         */
        Tick: {
            count: number;
            duration_ns: number;
            errors: number;
            lateness_max_ns: number;
            max_ns: number | null;
            min_ns: number | null;
            pins: number[];
            seq: number;
            series_no: number;
            start_ns: number;
            sum_ns: number;
            target_count: number | null;
            timeouts: number;
            unfinished: number;
        };
        /**
         * TicksOut
         * @description Columns of equal length, one entry for each stretch of time, in order.
         */
        TicksOut: {
            /** Count */
            count: number[];
            /** Duration Ns */
            duration_ns: number[];
            /** Errors */
            errors: number[];
            /** Max Ns */
            max_ns: (number | null)[];
            /** Min Ns */
            min_ns: (number | null)[];
            /**
             * Over
             * @description for each threshold of `pin_thresholds_ns` the completed operations at or over it
             */
            over: number[][];
            /** Start Ns */
            start_ns: number[];
            /** Target Count */
            target_count: (number | null)[];
            /** Timeouts */
            timeouts: number[];
        };
        /**
         * TimelineOut
         * @description A run over time.
         */
        TimelineOut: {
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** Series */
            series: components["schemas"]["TimelineSeriesOut"][];
        };
        /**
         * TimelineSeriesOut
         * @description One operation on one clock over time.
         */
        TimelineSeriesOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "queue" | "operation";
            /** Limits */
            limits: components["schemas"]["LimitOut"][];
            /** Operation */
            operation: string;
            /** Percentiles */
            percentiles: components["schemas"]["PercentilePointOut"][];
            /** Pin Thresholds Ns */
            pin_thresholds_ns: number[];
            ticks: components["schemas"]["TicksOut"];
        };
        /**
         * TransactionVerdictOut
         * @description The transaction part of a verdict: P(all reads within the window), with bounds.
         */
        TransactionVerdictOut: {
            /** Cdf */
            cdf: components["schemas"]["CdfPointOut"][];
            /**
             * Evidence
             * @description what verdict and room rest on: the model of single reads, or measured transactions
             */
            evidence: ("model" | "measured") | null;
            measured: components["schemas"]["MeasuredTransactionsOut"] | null;
            /** N Guaranteed */
            n_guaranteed: number | null;
            /** N Possible */
            n_possible: number | null;
            /** Objective Ratio */
            objective_ratio: number;
            /** P Estimate */
            p_estimate: number | null;
            /**
             * P Lower
             * @description guaranteed by the buckets, before sampling error
             */
            p_lower: number | null;
            /**
             * P Lower Confident
             * @description guaranteed, sampling error included
             */
            p_lower_confident: number | null;
            /** P Upper */
            p_upper: number | null;
            /** Quantile Lower Ns */
            quantile_lower_ns: number | null;
            /** Quantile Upper Ns */
            quantile_upper_ns: number | null;
            /** Reads */
            reads: number;
            /** Reserve Ns */
            reserve_ns: number;
            /** Room Lower Ns */
            room_lower_ns: number | null;
            /** Room Upper Ns */
            room_upper_ns: number | null;
            /** Samples */
            samples: number;
            /**
             * Scheduling
             * @constant
             */
            scheduling: "sequential";
            /** Window Ns */
            window_ns: number;
        };
        /**
         * Verdict
         * @description One budget judged on one run by one version of the method.
         */
        Verdict: {
            budget: components["schemas"]["BudgetOut"];
            /**
             * Computed At
             * Format: date-time
             */
            computed_at: string;
            /** Data Through Ns */
            data_through_ns: number;
            /**
             * Decided By
             * @description what data would decide it; null when it is decided
             */
            decided_by: string | null;
            exceedance: components["schemas"]["ExceedanceVerdictOut"] | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "exceedance" | "transaction";
            /** Method Version */
            method_version: number;
            /** Provisional */
            provisional: boolean;
            /** Reason */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** Reason Text */
            reason_text: string | null;
            /**
             * Stage
             * @enum {string}
             */
            stage: "preview" | "indicative" | "full";
            transaction: components["schemas"]["TransactionVerdictOut"] | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /**
             * Verdict Id
             * Format: uuid
             */
            verdict_id: string;
        };
        /**
         * VerdictSummaryOut
         * @description A verdict in a word, for lists.
         */
        VerdictSummaryOut: {
            /** Budget Name */
            budget_name: string;
            /** Budget Title */
            budget_title: string;
            /** Provisional */
            provisional: boolean;
            /** Reason */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_runs: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description runs on a page */
                limit?: number;
                /** @description text in title or host name */
                q?: string | null;
                /** @description only runs in this state */
                state?: ("running" | "finishing" | "finished") | null;
                /** @description only this workload */
                workload?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `cursor-unreadable`: The cursor is not one of ours */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    announce_run: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Announcement"];
                "application/msgpack": components["schemas"]["Announcement"];
            };
        };
        responses: {
            /** @description taken; the same message again is harmless */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementAnswer"];
                };
            };
            /** @description taken for the first time */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementAnswer"];
                };
            };
            /** @description `body-unreadable`: The body cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-conflict`: The run was announced with other content */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `format-unsupported`: The format of the body is not supported */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `batch-invalid`: The batch breaks a rule of the wire contract; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    watch_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description server-sent events: `ticks` (new live intervals, see Tick) and `changed` (`{run_id, what, state}`: what to fetch again); a comment every few seconds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_exceedance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExceedancesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    finish_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Finish"];
                "application/msgpack": components["schemas"]["Finish"];
            };
        };
        responses: {
            /** @description taken; the same message again is harmless */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinishAnswer"];
                };
            };
            /** @description `body-unreadable`: The body cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `finish-conflict`: The run was finished with other content */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `format-unsupported`: The format of the body is not supported */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `batch-invalid`: The batch breaks a rule of the wire contract; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    send_intervals: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
                "application/msgpack": components["schemas"]["Batch"];
            };
        };
        responses: {
            /** @description taken; the same message again is harmless */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
            /** @description `body-unreadable`: The body cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `series-conflict`: The series was defined otherwise; `interval-conflict`: The interval was stored with other content; `run-already-finished`: The run has already finished */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `format-unsupported`: The format of the body is not supported */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `batch-invalid`: The batch breaks a rule of the wire contract; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_percentiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PercentilesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    stop_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-already-finished`: The run has already finished */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_timeline: {
        parameters: {
            query?: {
                /** @description stretches of time at most */
                max_points?: number;
            };
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    create_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description the database is away or not migrated */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
}
