// Glossary page, which other pages link to.
import { TERMS } from "@/entities/glossary/terms";
import { usePageTitle } from "@/ui/usePageTitle";
import classes from "./GlossaryPage.module.css";

export function GlossaryPage() {
  usePageTitle("Glossary");
  return (
    <div className={classes["page"]}>
      <header>
        <h1>What the words mean</h1>
        <p>Each word means one thing on every page, in the command line and in reports.</p>
      </header>
      {TERMS.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2>{group.title}</h2>
          <dl>
            {group.terms.map(({ id, word, meaning }) => (
              <div key={id} id={id}>
                <dt>{word}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
