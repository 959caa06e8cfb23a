// Outcome of a comparison with its sign and colour.
import type { Gain } from "@/api/comparisons";
import { IconCheck, IconCross, IconQuestion } from "@/ui/icons";

const LOOKS = {
  better: { Sign: IconCheck, color: "var(--pass-ink)" },
  worse: { Sign: IconCross, color: "var(--fail-ink)" },
  same: { Sign: IconCheck, color: undefined },
  open: { Sign: IconQuestion, color: undefined },
} as const;

type EffectTextProps = { effect: Gain["effect"]; text: string; title?: string | undefined };

export function EffectText({ effect, text, title }: EffectTextProps) {
  const { Sign, color } = LOOKS[effect];
  return (
    <span className="icon-text" style={{ minWidth: "22ch", color }} title={title}>
      <Sign size={13} /> {text}
    </span>
  );
}
