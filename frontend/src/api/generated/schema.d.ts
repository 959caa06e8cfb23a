// Generated from docs/contracts/openapi.json by `npm run generate -w frontend`. Do not edit.

export interface paths {
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["list_runs"];
        put?: never;
        post?: never;
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
        get: operations["read_run"];
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
        get: operations["read_exceedance"];
        put?: never;
        post?: never;
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
        get: operations["read_percentiles"];
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
        get: operations["read_timeline"];
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
        get: operations["read_session"];
        put?: never;
        post: operations["open_session"];
        delete: operations["close_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Budget */
        Budget: {
            name: string;
            question: string;
            title: string;
            version: number;
        };
        /** CdfPoint */
        CdfPoint: {
            estimate: number;
            lower: number;
            t_ns: number;
            upper: number;
        };
        /** Certification */
        Certification: {
            measured_duration_ns: number;
            reason_text: string;
            required_duration_ns: number;
            /** @enum {string} */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
        };
        /** CurvePoint */
        CurvePoint: {
            lower_ns: number;
            quantile: number;
            upper_ns: number;
        };
        /** Disclosure */
        Disclosure: {
            given_count: number;
            missing: components["schemas"]["DisclosureField"][];
            required_count: number;
        };
        /** DisclosureField */
        DisclosureField: {
            field: string;
            label: string;
        };
        /** Exceedance */
        Exceedance: {
            rows: components["schemas"]["ExceedanceRow"][];
            run_id: string;
        };
        /** ExceedanceFinding */
        ExceedanceFinding: {
            certification: components["schemas"]["Certification"] | null;
            clock: string;
            operation: string;
            rows: components["schemas"]["ExceedanceVerdictRow"][];
        };
        /** ExceedanceRow */
        ExceedanceRow: {
            clock: string;
            confidence: number;
            limit_ratio: number | null;
            operation: string;
            over_count: number;
            ratio: number;
            ratio_lower: number;
            ratio_upper: number;
            threshold_ns: number;
            total_count: number;
        };
        /** ExceedanceVerdictRow */
        ExceedanceVerdictRow: {
            limit_ratio: number;
            over_count: number;
            ratio: number;
            ratio_lower: number;
            ratio_upper: number;
            threshold_ns: number;
            total_count: number;
            /** @enum {string} */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
        };
        /** MeasuredTransactions */
        MeasuredTransactions: {
            clock: string;
            dependence_factor: number | null;
            operation: string;
            quantile_lower_ns: number | null;
            quantile_upper_ns: number | null;
            ratio: number;
            ratio_lower: number;
            ratio_upper: number;
            total_count: number;
            variance_inflation: number | null;
            within_count: number;
        };
        /** MissingRange */
        MissingRange: {
            from_seq: number;
            series: number;
            to_seq: number;
        };
        /** Organisation */
        Organisation: {
            id: string;
            name: string;
        };
        /** PercentileCurve */
        PercentileCurve: {
            clock: string;
            count: number;
            max_ns: number | null;
            miss_count: number;
            operation: string;
            points: components["schemas"]["CurvePoint"][];
        };
        /** Percentiles */
        Percentiles: {
            curves: components["schemas"]["PercentileCurve"][];
            run_id: string;
        };
        /** PercentileSlice */
        PercentileSlice: {
            count: number;
            duration_ns: number;
            max_ns: number | null;
            p50_lower_ns: number | null;
            p50_upper_ns: number | null;
            p99_lower_ns: number | null;
            p99_upper_ns: number | null;
            p999_lower_ns: number | null;
            p999_upper_ns: number | null;
            start_ns: number;
        };
        /** Problem */
        Problem: {
            code: string;
            detail: string;
            problems: components["schemas"]["ProblemItem"][];
            status: number;
            title: string;
            type: string;
        };
        /** ProblemItem */
        ProblemItem: {
            field: string | null;
            reason: string;
            seq: number | null;
            series: number | null;
        };
        /** RunDetail */
        RunDetail: {
            agent: {
                [key: string]: unknown;
            };
            disclosure: components["schemas"]["Disclosure"];
            host: {
                [key: string]: unknown;
            };
            host_name: string | null;
            last_data_at: string | null;
            measured_duration_ns: number | null;
            missing: components["schemas"]["MissingRange"][];
            outcome: ("completed" | "stopped" | "failed" | "interrupted") | null;
            outcome_reason: string | null;
            plan: {
                [key: string]: unknown;
            };
            planned_duration_ns: number;
            run_id: string;
            series: components["schemas"]["SeriesOut"][];
            started_at: string;
            /** @enum {string} */
            state: "running" | "finishing" | "finished";
            stop_requested_at: string | null;
            target_name: string | null;
            title: string;
            verdicts: components["schemas"]["Verdict"][];
            workload: string;
        };
        /** RunPage */
        RunPage: {
            next_cursor: string | null;
            runs: components["schemas"]["RunSummary"][];
            total: number;
        };
        /** RunSummary */
        RunSummary: {
            host_name: string | null;
            last_data_at: string | null;
            measured_duration_ns: number | null;
            outcome: ("completed" | "stopped" | "failed" | "interrupted") | null;
            planned_duration_ns: number;
            run_id: string;
            started_at: string;
            /** @enum {string} */
            state: "running" | "finishing" | "finished";
            title: string;
            verdicts: components["schemas"]["VerdictSummary"][];
            workload: string;
        };
        /** SeriesOut */
        SeriesOut: {
            /** @enum {string} */
            clock: "response" | "service" | "queue" | "operation";
            contiguous_seq: number;
            device: string | null;
            host: string;
            /** @enum {string} */
            kind: "tick" | "histogram";
            layout: {
                [key: string]: unknown;
            } | null;
            operation: string;
            phase: string;
            pin_thresholds_ns: number[];
            received_count: number;
            series_no: number;
            target_rate_per_s: number | null;
        };
        /** Session */
        Session: {
            /** @enum {string} */
            access: "local" | "token";
            organisation: components["schemas"]["Organisation"];
            scope: string;
        };
        /** SessionRequest */
        SessionRequest: {
            token: string;
        };
        /** Timeline */
        Timeline: {
            run_id: string;
            series: components["schemas"]["TimelineSeries"][];
        };
        /** TimelineLimit */
        TimelineLimit: {
            limit_ratio: number | null;
            threshold_ns: number;
        };
        /** TimelineSeries */
        TimelineSeries: {
            clock: string;
            limits: components["schemas"]["TimelineLimit"][];
            operation: string;
            percentiles: components["schemas"]["PercentileSlice"][];
            pin_thresholds_ns: number[];
            ticks: components["schemas"]["TimelineTicks"];
        };
        /** TimelineTicks */
        TimelineTicks: {
            count: number[];
            duration_ns: number[];
            errors: number[];
            max_ns: (number | null)[];
            min_ns: (number | null)[];
            over: number[][];
            start_ns: number[];
            target_count: (number | null)[];
            timeouts: number[];
        };
        /** TransactionFinding */
        TransactionFinding: {
            cdf: components["schemas"]["CdfPoint"][];
            measured: components["schemas"]["MeasuredTransactions"] | null;
            n_guaranteed: number;
            n_possible: number | null;
            objective_ratio: number;
            p_estimate: number;
            p_lower: number;
            p_lower_confident: number | null;
            p_upper: number;
            quantile_lower_ns: number | null;
            quantile_upper_ns: number | null;
            reads: number;
            reserve_ns: number;
            room_lower_ns: number | null;
            room_upper_ns: number | null;
            samples: number;
            scheduling: string;
            window_ns: number;
        };
        /** Verdict */
        Verdict: {
            budget: components["schemas"]["Budget"];
            computed_at: string;
            data_through_ns: number;
            decided_by: string | null;
            exceedance: components["schemas"]["ExceedanceFinding"] | null;
            /** @enum {string} */
            kind: "exceedance" | "transaction";
            method_version: string;
            provisional: boolean;
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            reason_text: string | null;
            /** @enum {string} */
            stage: "preview" | "indicative" | "full";
            transaction: components["schemas"]["TransactionFinding"] | null;
            /** @enum {string} */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            verdict_id: string;
        };
        /** VerdictSummary */
        VerdictSummary: {
            budget_name: string;
            budget_title: string;
            provisional: boolean;
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** @enum {string} */
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
                cursor?: string;
                limit?: number;
                q?: string;
                state?: string;
                workload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_exceedance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Exceedance"];
                };
            };
            /** @description problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_percentiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Percentiles"];
                };
            };
            /** @description problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stop_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_timeline: {
        parameters: {
            query?: {
                max_points?: number;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
            /** @description problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    open_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionRequest"];
            };
        };
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    close_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ok */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
