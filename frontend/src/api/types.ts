// Names for types of the generated API schema. None is written by hand.
import type { components, paths } from "@generated/api";

export type Schemas = components["schemas"];

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;

export type Session = Answer<"/api/v1/session">;
export type RunPage = Answer<"/api/v1/runs">;
export type RunsQuery = NonNullable<paths["/api/v1/runs"]["get"]["parameters"]["query"]>;
export type RunSummary = RunPage["runs"][number];
export type RunState = RunSummary["state"];
export type VerdictSummary = RunSummary["verdicts"][number];
export type RunDetail = Answer<"/api/v1/runs/{run_id}">;
export type ConcurrentLog = Answer<"/api/v1/runs/{run_id}/beside">["logs"][number];
export type RunSeries = RunDetail["series"][number];
export type Verdict = RunDetail["verdicts"][number];
export type VerdictWord = Verdict["verdict"];
export type Validity = NonNullable<Verdict["validity"]>;
export type ExceedanceFinding = NonNullable<Verdict["exceedance"]>;
export type TransactionFinding = NonNullable<Verdict["transaction"]>;
export type Timeline = Answer<"/api/v1/runs/{run_id}/timeline">;
export type TimelineSeries = Timeline["series"][number];
export type Heatmap = Answer<"/api/v1/runs/{run_id}/heatmap">;
export type TimelineTicks = TimelineSeries["ticks"];
export type PercentileSlice = TimelineSeries["percentiles"][number];
export type Ladder = Answer<"/api/v1/runs/{run_id}/ladder">;
export type LoadSearch = Answer<"/api/v1/sla/load-search/{run_id}">;
export type LadderStep = Ladder["steps"][number];
export type Percentiles = Answer<"/api/v1/runs/{run_id}/percentiles">;
export type PercentileCurve = Percentiles["curves"][number];
export type Figures = Answer<"/api/v1/runs/{run_id}/figures">;
type RunFindings = Answer<"/api/v1/runs/{run_id}/findings">;
export type RunFinding = RunFindings["findings"][number];
type Exceedance = Answer<"/api/v1/runs/{run_id}/exceedance">;
export type ExceedanceRow = Exceedance["rows"][number];
/** A live tick from the event stream. */
export type Tick = Schemas["Tick"];
type PostResponse<Path extends keyof paths> = paths[Path] extends {
  post: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;
type RequestBody<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

export type BudgetItem = Answer<"/api/v1/budgets">["items"][number];
export type BudgetDocument = BudgetItem["document"];
export type TransactionDocument = Extract<BudgetDocument, { kind: "transaction" }>;
export type BudgetChoice = RequestBody<"/api/v1/sla/evaluate">["budget"];
export type SlaSubject = RequestBody<"/api/v1/sla/evaluate">["subject"];
export type Evaluation = PostResponse<"/api/v1/sla/evaluate">;
export type JudgedSubject = Evaluation["subject"];
export type MatchPage = PostResponse<"/api/v1/sla/match">;
export type MatchCounts = MatchPage["counts"];
export type SubjectKind = MatchItem["subject"]["kind"];
export type MatchItem = MatchPage["items"][number];
export type RecordCost = MatchPage["costs"][string];
export type SizeQuestion = RequestBody<"/api/v1/sla/size">;
export type SizeAnswer = PostResponse<"/api/v1/sla/size">;
export type DriveCounters = Answer<"/api/v1/runs/{run_id}/drive-counters">;
export type DriveVariant = Answer<"/api/v1/runs/{run_id}/drive-variant">;
type Course = Answer<"/api/v1/runs/{run_id}/course">;
export type OperationCourse = Course["operations"][number];
export type ThresholdCourse = OperationCourse["thresholds"][number];
export type Leaderboard = Answer<"/api/v1/leaderboard">;
export type LeaderboardRow = Leaderboard["rows"][number];
export type WithdrawnTest = Leaderboard["withdrawn"][number];
export type LeaderboardCell = LeaderboardRow["cells"][number];
export type LeaderboardQuery = NonNullable<paths["/api/v1/leaderboard"]["get"]["parameters"]["query"]>;
export type RatingConditions = NonNullable<Leaderboard["conditions"]>;
export type Comparability = Answer<"/api/v1/comparability">;

export type Upload = Answer<"/api/v1/uploads/{upload_id}">;
export type UploadFile = Upload["files"][number];
export type UploadedRun = Upload["runs"][number];
export type UploadedSeries = UploadedRun["series"][number];
export type FileProblem = UploadFile["problems"][number];
export type EndState = UploadedRun["end_state"];
export type Disclosure = RunDetail["disclosure"];
export type Answers = Schemas["DisclosureIn"]["answers"];
export type AnswerValue = Answers[string];
