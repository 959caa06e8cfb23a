// Renders a section of a page that its heading names.
import { type ComponentProps, type ReactNode, useId } from "react";

type SectionProps = Omit<ComponentProps<"section">, "title"> & {
  title: ReactNode;
  heading?: "h2" | "h3";
  /** The heading is for assistive technology only. */
  isTitleHidden?: boolean;
};

export function Section({ title, heading: Heading = "h2", isTitleHidden = false, children, ...props }: SectionProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} {...props}>
      <Heading id={titleId} className={isTitleHidden ? "visually-hidden" : undefined}>
        {title}
      </Heading>
      {children}
    </section>
  );
}
