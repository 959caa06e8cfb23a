// Renders inputs for limits on slow reads, each a maximum share over a time.
import { Button, Group } from "@mantine/core";
import { plainOf, type Typed } from "@/lib/search";
import { Field } from "@/ui/Field";
import { IconCross } from "@/ui/icons";
import { type LimitText, MOST_LIMITS, readLimits, readLimitTexts, USUAL_LIMITS, writeLimitTexts } from "./limits";

type LimitFieldsProps = {
  /** Limits as in the URL. */
  text: string;
  onEdit: (limits: Typed) => void;
  /** Applies a change at once, without the pause of typing. */
  onChoose: (limits: Typed) => void;
};

export function LimitFields({ text, onEdit, onChoose }: LimitFieldsProps) {
  const texts = readLimitTexts(text);
  const { problems } = readLimits(texts);
  const write = (next: readonly LimitText[]) => plainOf(writeLimitTexts(next));
  const replaced = (index: number, change: Partial<LimitText>) =>
    write(texts.map((limit, at) => (at === index ? { ...limit, ...change } : limit)));
  return (
    <Group align="flex-start" gap="8px 12px">
      <span style={{ lineHeight: "36px" }}>Slow reads: fewer than</span>
      {texts.map((limit, index) => (
        <fieldset
          // Limits have no ids and are never reordered.
          // biome-ignore lint/suspicious/noArrayIndexKey: their position is what they are
          key={index}
          className="wrap"
          style={{ paddingRight: 8, borderRight: "1px solid var(--line)" }}
        >
          <legend className="visually-hidden">Limit {index + 1}</legend>
          <Field
            label={`Limit ${index + 1}: per cent of reads`}
            text={limit.percent}
            numeric
            width={5}
            problem={problems[index]?.percent}
            onText={(percent) => onEdit(replaced(index, { percent }))}
            after="%"
          />
          <Field
            label={`Limit ${index + 1}: time`}
            text={limit.threshold}
            width={6}
            problem={problems[index]?.threshold}
            onText={(threshold) => onEdit(replaced(index, { threshold }))}
            before="over"
          />
          {texts.length === 1 ? null : (
            <Button
              mt={4}
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-label={`Remove limit ${index + 1}`}
              onClick={() => onChoose(write(texts.filter((_, at) => at !== index)))}
            >
              <IconCross size={12} />
            </Button>
          )}
        </fieldset>
      ))}
      {texts.length === 0 ? (
        <span style={{ lineHeight: "36px", color: "var(--fail-ink)" }}>At least one limit is needed.</span>
      ) : null}
      <Button
        size="xs"
        disabled={texts.length >= MOST_LIMITS}
        onClick={() => onChoose(write([...texts, nextLimit(texts.map((limit) => limit.threshold))]))}
      >
        Add a limit
      </Button>
    </Group>
  );
}

/** Returns the first usual limit whose threshold is not used yet; empty texts if all are. */
const nextLimit = (used: readonly string[]): LimitText =>
  USUAL_LIMITS.find(({ threshold }) => !used.includes(threshold)) ?? { threshold: "", percent: "" };
