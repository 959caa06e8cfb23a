// The question in the address: the steps of a transaction, its time limit, and the share of transactions that must keep it.
// Fields stay as typed, so that an unreadable value is explained beside its field.
import { type Change, type RawSearch, type Typed, typed } from "@/lib/search";

/** The fields that travel from page to page. Further stages and overhead belong to the page that edits them. */
export const TRANSACTION_KEYS = ["reads", "sched", "fan", "window", "reserve", "objective"] as const;
export type TransactionKey = (typeof TRANSACTION_KEYS)[number];

export type TransactionSearch = { [Key in TransactionKey]?: Typed };

/** All that travels: a transaction, or limits on slow reads instead of one. */
export const QUESTION_KEYS = [...TRANSACTION_KEYS, "limits"] as const;
export type AskedSearch = TransactionSearch & { limits?: Typed };

/** The shortlist of drives travels too, beside the question. */
export type PickSearch = { pick?: Typed };
const LONGEST_PICK = 2_000;

export const pickSearch = (raw: RawSearch) => ({ pick: typed(raw["pick"], { longest: LONGEST_PICK }) });

/** How many are on the shortlist. */
export const pickCount = ({ pick }: PickSearch): number => (pick === undefined ? 0 : String(pick).split("*").length);

export type AskedChange = Change<AskedSearch>;

const LONGEST_LIMITS = 400;

/** A transaction with all fields of the SLA page. */
export type QuestionSearch = TransactionSearch & { overhead?: Typed; also?: Typed; op?: Typed };

/** Fields with a default: emptied, they stay empty and say what is missing, instead of filling themselves again. */
export const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["reads", "fan", "window", "reserve", "objective"]);

const transactionSearch = (raw: RawSearch): { [Key in TransactionKey]?: Typed | undefined } =>
  Object.fromEntries(TRANSACTION_KEYS.map((key) => [key, typed(raw[key], { mayBeEmpty: MAY_BE_EMPTY.has(key) })]));

export const askedSearch = (raw: RawSearch) => ({
  ...transactionSearch(raw),
  limits: typed(raw["limits"], { longest: LONGEST_LIMITS, mayBeEmpty: true }),
});

/** Whether the address asks a transaction of the reader's own. */
export const asksTransaction = (search: TransactionSearch): boolean =>
  TRANSACTION_KEYS.some((key) => search[key] !== undefined);

/** The part of an address that is the question. */
export const transactionOf = (search: TransactionSearch): TransactionSearch =>
  Object.fromEntries(TRANSACTION_KEYS.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])));

/** An address written as a whole: what it does not name is taken away, also where the question would else travel along. */
export const fullSearch = <Search extends AskedSearch>(search: Search): Search => ({
  ...(Object.fromEntries(QUESTION_KEYS.map((key) => [key, undefined])) as unknown as Search),
  ...search,
});
