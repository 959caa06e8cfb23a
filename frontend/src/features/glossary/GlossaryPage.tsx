// Glossary page, which other pages link to.
import { TERMS } from "@/entities/glossary/terms";
import { usePageTitle } from "@/ui/usePageTitle";
import classes from "./GlossaryPage.module.css";

export function GlossaryPage() {
  usePageTitle("Glossary");
  return (
    <div className="stack-24" style={{ maxWidth: "80ch" }}>
      <header className="stack-8">
        <h1>What the words mean</h1>
        <p>Each word means one thing on every page, in the command line and in reports.</p>
      </header>
      {Object.entries(TERMS).map(([title, terms]) => (
        <section className="stack-8" key={title} aria-label={title}>
          <h2>{title}</h2>
          <dl>
            {Object.entries(terms).map(([id, [word, meaning]]) => (
              <div key={id} id={id} className={classes["entry"]}>
                <dt className="strong" style={{ color: "var(--ink)" }}>
                  {word}
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
