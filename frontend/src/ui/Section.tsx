// Renders a section of a page that its heading names.
import { type ComponentProps, type ReactNode, useId } from "react";

type SectionProps = Omit<ComponentProps<"section">, "title"> & {
  title: ReactNode;
  /** Text below the heading. */
  note?: ReactNode;
  heading?: "h2" | "h3";
  /** The heading is for assistive technology only. */
  isTitleHidden?: boolean;
};

export function Section(props: SectionProps) {
  const { title, note, heading: Heading = "h2", isTitleHidden = false, children, ...section } = props;
  const titleId = useId();
  const named = (
    <Heading id={titleId} className={isTitleHidden ? "visually-hidden" : undefined}>
      {title}
    </Heading>
  );
  return (
    <section aria-labelledby={titleId} {...section}>
      {note === undefined ? (
        named
      ) : (
        <div>
          {named}
          {note === null ? null : <p className="dim">{note}</p>}
        </div>
      )}
      {children}
    </section>
  );
}
