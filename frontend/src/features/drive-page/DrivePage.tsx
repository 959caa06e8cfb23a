// Page of one drive: answer, slow reads over load and time, tests with evidence, comparability, findings,
// specification.
import { Group, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { badgeAddress, DEFAULT_RULE_SET, drivePageQuery, type DrivePage as Page } from "@/api/drivePage";
import { rowsOfDrivesQuery } from "@/api/leaderboard";
import { publicationListQuery } from "@/api/publications";
import { ChartFigure } from "@/charts/ChartFigure";
import { measureOf } from "@/entities/drive/measure";
import { driveName } from "@/entities/drive/ratings";
import { Withdrawn } from "@/entities/drive/Withdrawn";
import type { ReaderQuestionSearch } from "@/entities/question/address";
import { type Asked, useReaderQuestion } from "@/entities/question/readerQuestion";
import { driveItem } from "@/entities/saved/items";
import { SaveButton } from "@/entities/saved/SaveButton";
import { formatExactLatency, joinParts, plural, sentence } from "@/lib/format";
import { Command } from "@/ui/Command";
import { PublicationLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { Empty, Failed, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { Answer, LoadLadder } from "./Answer";
import { Audit } from "./Audit";
import type { DriveChange, DriveSearch } from "./address";
import { Comparability } from "./Comparability";
import { DriveCounters } from "./DriveCounters";
import { loadCurveSpec } from "./loadCurve";
import { Objections } from "./Objections";
import { OverTime } from "./OverTime";
import { SpecSheet } from "./SpecSheet";
import { Tests } from "./Tests";
import { Variants } from "./Variants";

type DrivePageProps = { slug: string; view: DriveSearch & ReaderQuestionSearch; onView: (change: DriveChange) => void };

export function DrivePage({ slug, view, onView }: DrivePageProps) {
  const drivePage = useQuery(drivePageQuery(slug, view.rules ?? DEFAULT_RULE_SET));
  const page = drivePage.data;
  const question = useReaderQuestion();
  usePageTitle(page === undefined ? null : driveName(page.drive));

  if (page === undefined) {
    const missing = (
      <Empty page title="There is no such drive">
        <p>
          No drive of the catalogue is called “{slug}”. The link may be incomplete, or the drive may go by another name.
        </p>
        <p>
          <Link to="/drives">Show all drives</Link>, or find it by any of its names with <kbd>Ctrl K</kbd>.
        </p>
      </Empty>
    );
    return <QueryView query={drivePage} what="the drive" lines={4} height={96} missing={missing} />;
  }

  const name = driveName(page.drive);
  const aliases = page.aliases.filter((alias) => alias !== name);
  const evidence = new Set(page.tests.map((test) => test.source.slug ?? test.source.run_id ?? test.source.title));
  return (
    <div className="stack-16">
      <header>
        <nav aria-label="Where this page is" className="small no-print">
          <Link to="/drives">Drives</Link>
        </nav>
        <div className="row between">
          <h1 className="wrap-anywhere">{name}</h1>
          <div className="row small no-print">
            {page.tests.length === 0 ? null : (
              <Link to="/drives" search={{ search: page.drive.name }}>
                Find it in the list
              </Link>
            )}
            <SaveButton item={driveItem(slug, name)} />
          </div>
        </div>
        <p>
          {joinParts([
            page.interface,
            page.form_factor,
            page.tests.length === 0
              ? "no test on record"
              : `${plural(page.tests.length, "test")} from ${plural(evidence.size, "source")}`,
          ])}
          {aliases.length === 0 ? "" : ` · also called ${aliases.join(", ")}`}
        </p>
      </header>
      <Failed error={drivePage.error} what="The drive under these rules" onRetry={() => void drivePage.refetch()} />
      {question === null ? null : <OwnQuestion slug={slug} name={name} question={question} />}
      <Folded folded={question !== null && view.rules === undefined} summary={`By the ${page.rule_set.title}`}>
        <Answer
          page={page}
          outdated={drivePage.isPlaceholderData}
          onRules={(rules) => onView({ rules: rules === DEFAULT_RULE_SET ? undefined : rules })}
        />
      </Folded>
      {page.tests.length === 0 ? null : (
        <>
          <LoadCurve page={page} view={view} onView={onView} />
          <OverTime tests={page.tests} />
          <DriveCounters tests={page.tests} />
          <Variants variants={page.variants} />
          <Audit tests={page.tests} />
          <Tests page={page} />
          <Comparability page={page} view={view} onView={onView} />
        </>
      )}
      <Objections slug={slug} tests={page.tests} />
      <Withdrawn tests={page.withdrawn} named={false} />
      <SpecSheet facts={page.facts} />
      <PublishedAbout page={page} />
      <Badge slug={page.drive.slug} name={name} rules={page.rule_set.name} />
      {page.notes.length === 0 ? null : (
        <ul className="bullets">
          {page.notes.map((note) => (
            <li key={note} className="dim">
              {note}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Shows its content, folded behind its summary if `folded`. */
function Folded({ folded, summary, children }: { folded: boolean; summary: string; children: ReactNode }) {
  return folded ? (
    <details>
      <summary>{summary}</summary>
      {children}
    </details>
  ) : (
    children
  );
}

function LoadCurve({ page, view, onView }: { page: Page } & Pick<DrivePageProps, "view" | "onView">) {
  const thresholds = [...new Set(page.curves.map((curve) => curve.threshold_ns))].sort((a, b) => a - b);
  const threshold = thresholds.find((candidate) => candidate === view.over) ?? thresholds[0];
  if (threshold === undefined) return null;
  const spec = loadCurveSpec(driveName(page.drive), threshold, page.curves, page.rows);
  if (spec === null) return null;
  if (spec.rows.length < 2)
    return <p>One load was tested, so how the share of slow reads grows with load is not known.</p>;
  return (
    <section aria-label="Load curve">
      <h2 className="visually-hidden">Load curve</h2>
      <ChartFigure
        key={threshold}
        spec={spec}
        height={320}
        controls={
          thresholds.length < 2 ? null : (
            <SegmentedControl
              size="xs"
              aria-label="Share over"
              value={String(threshold)}
              data={thresholds.map((choice) => ({ value: String(choice), label: formatExactLatency(choice) }))}
              onChange={(value) => onView({ over: Number(value) === thresholds[0] ? undefined : Number(value) })}
            />
          )
        }
      />
    </section>
  );
}

/** Lists the documents that facts or tests of the drive come from; null without any. */
function PublishedAbout({ page }: { page: Page }) {
  const publications = useQuery(publicationListQuery());
  const slugs = new Set([
    ...page.facts.map((fact) => fact.source?.["publication"]),
    ...page.tests.map((test) => test.source.slug),
  ]);
  const about = (publications.data?.publications ?? []).filter((document) => slugs.has(document.slug));
  if (about.length === 0) return null;
  return (
    <p>
      Published about it:{" "}
      {about.map((document, index) => (
        <span key={document.slug}>
          {index === 0 ? "" : " · "}
          <PublicationLink slug={document.slug} preload="intent">
            {document.title}
          </PublicationLink>
        </span>
      ))}
    </p>
  );
}

function OwnQuestion({ slug, name, question }: { slug: string; name: string; question: Asked }) {
  const titleId = useId();
  const answer = useQuery(rowsOfDrivesQuery(question.leaderboard, [slug]));
  if (answer.data === undefined)
    return <QueryView query={answer} what="the answer to my question" lines={2} height={227} />;
  const { rows, loads } = answer.data;
  const thresholdNs = rows.flatMap((row) => row.cells.flatMap((cell) => cell.exceedances))[0]?.threshold_ns ?? null;
  return (
    <section className="stack-12 panel" aria-labelledby={titleId} data-outdated={answer.isPlaceholderData || undefined}>
      <p className="dim">
        <span id={titleId}>Which load does it hold for my question?</span> {sentence(question.text)}.
      </p>
      <LoadLadder
        none={`No test of ${name} is on record, so nothing answers it.`}
        rows={rows}
        loads={loads}
        limits={measureOf(answer.data).limits}
        thresholdNs={thresholdNs}
        share={
          question.kind === "transaction" ? "share of late transactions" : "share of slow reads over the first limit"
        }
      />
    </section>
  );
}

export function Badge({ slug, name, rules }: { slug: string; name: string; rules: string }) {
  const [form, setForm] = useState<"html" | "markdown">("html");
  const [broken, setBroken] = useState(false);
  const origin = window.location.origin;
  const picture = `${origin}${badgeAddress(slug, rules)}`;
  const page = `${origin}/drives/${encodeURIComponent(slug)}`;
  const label = `Tailroom rating of ${name}`;
  const text =
    form === "html"
      ? `<a href="${page}"><img src="${picture.replaceAll("&", "&amp;")}" alt="${label}"></a>`
      : `[![${label}](${picture})](${page})`;
  return (
    <Section title="Embed this rating" className="stack-8 items-start panel" style={{ alignContent: "start" }}>
      <p className="dim">
        The picture follows the rating: it changes when evidence is added or retracted. It shows published evidence
        only.
      </p>
      <Group gap="8px 24px">
        {broken ? (
          <p>The badge could not be loaded.</p>
        ) : (
          <img
            src={badgeAddress(slug, rules)}
            alt={label}
            style={{ display: "block", maxWidth: "100%", height: "auto" }}
            onError={() => setBroken(true)}
          />
        )}
        <SegmentedControl
          className="no-print"
          size="xs"
          aria-label="Form of the text"
          value={form}
          data={[
            { value: "html", label: "HTML" },
            { value: "markdown", label: "Markdown" },
          ]}
          onChange={(value) => setForm(value as typeof form)}
        />
      </Group>
      <Command text={text} />
    </Section>
  );
}
