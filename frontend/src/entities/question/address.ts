// The question in the URL: a transaction's steps, its time limit, and its objective. Fields are stored as typed, so
// that an invalid value can be explained beside its field.
import { type Change, type RawSearch, type Typed, typed } from "@/lib/search";

/** Fields that links carry to other pages. Further stages and overhead stay on the page that edits them. */
export const TRANSACTION_KEYS = ["reads", "sched", "fan", "window", "reserve", "objective"] as const;
export type TransactionKey = (typeof TRANSACTION_KEYS)[number];

export type TransactionSearch = { [Key in TransactionKey]?: Typed };

/** All parameters that links carry: a transaction, or limits on slow reads instead. */
export const QUESTION_KEYS = [...TRANSACTION_KEYS, "limits"] as const;
export type ReaderQuestionSearch = TransactionSearch & { limits?: Typed };

/** The shortlist of drives, which links carry beside the question. */
export type PickSearch = { pick?: Typed };
const LONGEST_PICK = 2_000;

export const pickSearch = (raw: RawSearch) => ({ pick: typed(raw["pick"], { longest: LONGEST_PICK }) });

/** Returns the number of drives on the shortlist. */
export const pickCount = ({ pick }: PickSearch): number => (pick === undefined ? 0 : String(pick).split("*").length);

export type ReaderQuestionChange = Change<ReaderQuestionSearch>;

const LONGEST_LIMITS = 400;

/** A transaction with all fields of the SLA page. */
export type QuestionSearch = TransactionSearch & { overhead?: Typed; also?: Typed; op?: Typed };

/** Fields with a default. If emptied, they stay empty and report what is missing. */
export const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["reads", "fan", "window", "reserve", "objective"]);

const transactionSearch = (raw: RawSearch): { [Key in TransactionKey]?: Typed | undefined } =>
  Object.fromEntries(TRANSACTION_KEYS.map((key) => [key, typed(raw[key], { mayBeEmpty: MAY_BE_EMPTY.has(key) })]));

export const readerQuestionSearch = (raw: RawSearch) => ({
  ...transactionSearch(raw),
  limits: typed(raw["limits"], { longest: LONGEST_LIMITS, mayBeEmpty: true }),
});

/** Returns whether the URL contains fields of a transaction. */
export const asksTransaction = (search: TransactionSearch): boolean =>
  TRANSACTION_KEYS.some((key) => search[key] !== undefined);

/** Returns only the transaction fields of a URL's parameters. */
export const transactionOf = (search: TransactionSearch): TransactionSearch =>
  Object.fromEntries(TRANSACTION_KEYS.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])));

/** Returns all parameters, `undefined` if missing, so that a link does not carry over the current question. */
export const fullSearch = <Search extends ReaderQuestionSearch>(search: Search): Search => ({
  ...(Object.fromEntries(QUESTION_KEYS.map((key) => [key, undefined])) as unknown as Search),
  ...search,
});
