// Form of the reader's question; an incomplete question is not judged.
import { Button, Group, SegmentedControl } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReaderQuestionChange, type ReaderQuestionSearch, transactionOf } from "@/entities/question/address";
import { LimitFields } from "@/entities/question/LimitFields";
import { USUAL_LIMITS, writeLimitTexts } from "@/entities/question/limits";
import { readReaderQuestion } from "@/entities/question/readerQuestion";
import { TransactionFields } from "@/entities/question/TransactionFields";
import { compact, plainOf } from "@/lib/search";

type QuestionFormProps = {
  search: ReaderQuestionSearch;
  onAsk: (question: ReaderQuestionSearch) => void;
  onCancel: () => void;
};

const KINDS = [
  { value: "transaction", label: "a transaction" },
  { value: "limits", label: "limits on slow reads" },
];

export function QuestionForm({ search, onAsk, onCancel }: QuestionFormProps) {
  const form = useForm({
    initialValues: {
      kind: search.limits === undefined ? "transaction" : "limits",
      limits: search.limits ?? plainOf(writeLimitTexts(USUAL_LIMITS)),
      transaction: search as ReaderQuestionChange,
    },
  });
  const { kind, limits, transaction } = form.values;
  const fields = transactionOf({ reads: 250, ...compact(transaction) });
  const question: ReaderQuestionSearch = kind === "limits" ? { limits } : fields;
  const { question: ownQuestion, problems } = readReaderQuestion(question);
  const change = (changed: ReaderQuestionChange) =>
    form.setFieldValue("transaction", (before) => ({ ...before, ...changed }));
  const setLimits = (text: typeof limits) => form.setFieldValue("limits", text);
  return (
    <form
      className="stack-12 items-start"
      style={{ padding: "8px 0 16px" }}
      onSubmit={form.onSubmit(() => {
        if (ownQuestion !== null) onAsk(question);
      })}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      <SegmentedControl size="xs" aria-label="Kind of question" data={KINDS} {...form.getInputProps("kind")} />
      {kind === "limits" ? (
        <LimitFields text={String(limits)} onEdit={setLimits} onChoose={setLimits} />
      ) : (
        <TransactionFields search={fields} problems={problems} onEdit={change} onChoose={change} />
      )}
      <Group gap="4px 8px">
        <Button variant="filled" type="submit" size="xs" disabled={ownQuestion === null}>
          Ask this everywhere
        </Button>
        <Button size="xs" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
