// Bar with the reader's question, which all links preserve. Pages that edit the question show it as their headline
// instead.
import { Button, Group, Menu } from "@mantine/core";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { fullSearch, type PickSearch, pickCount, type ReaderQuestionSearch } from "@/entities/question/address";
import { asksOwn, readReaderQuestion } from "@/entities/question/readerQuestion";
import { questionItem, questionOf } from "@/entities/saved/items";
import { SaveButton } from "@/entities/saved/SaveButton";
import { useSaved } from "@/entities/saved/useSaved";
import { Loading } from "@/ui/states";
import classes from "./QuestionBar.module.css";

const QuestionForm = lazy(async () => ({ default: (await import("./QuestionForm")).QuestionForm }));

export function QuestionBar() {
  const search: ReaderQuestionSearch & PickSearch = useRouterState({ select: (state) => state.location.search });
  const picked = pickCount(search);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const saved = useSaved().items.filter(({ kind }) => kind === "question");
  const own = asksOwn(search);
  const ownQuestion = own ? readReaderQuestion(search).question : null;
  const toSave = questionItem(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form closes when the page changes
  useEffect(() => setOpen(false), [path]);

  const ask = (question: ReaderQuestionSearch) => {
    void navigate({
      to: ".",
      search: ((before: ReaderQuestionSearch) => ({ ...before, ...fullSearch(question) })) as never,
      replace: true,
      resetScroll: false,
    });
    setOpen(false);
    button.current?.focus();
  };

  return (
    <section className={`${classes["bar"]} no-print`} aria-label="My question">
      <div className={`row between ${classes["line"]}`}>
        <p>
          <strong>My question</strong>{" "}
          {ownQuestion !== null ? (
            <span>{ownQuestion.text}</span>
          ) : own ? (
            <span>cannot be read: choose Change</span>
          ) : (
            <span className="dim">
              none set<span className={classes["rest"]}>; pages answer the card-fraud check and the limits of ACT</span>
            </span>
          )}
        </p>
        <Group gap="4px 8px">
          <Button
            ref={button}
            size="compact-sm"
            variant="subtle"
            aria-expanded={open}
            aria-controls={formId}
            onClick={() => setOpen((before) => !before)}
          >
            {own ? "Change" : "Set my question"}
          </Button>
          {picked === 0 ? null : (
            <Link to="/drives" search={{ compare: "open" }} className={classes["link"]}>
              Shortlist ({picked})
            </Link>
          )}
          {saved.length === 0 ? null : (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button size="compact-sm" variant="subtle" color="gray">
                  Saved questions ({saved.length})
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {saved.map((question) => (
                  <Menu.Item key={question.address} onClick={() => ask(questionOf(question))}>
                    {question.title}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
          {own ? (
            <>
              <Button size="compact-sm" variant="subtle" color="gray" onClick={() => ask({})}>
                Clear
              </Button>
              {toSave === null ? null : <SaveButton item={toSave} quiet />}
              <Link to="/sla" className={classes["link"]}>
                What meets it?
              </Link>
            </>
          ) : null}
        </Group>
      </div>
      <div id={formId} hidden={!open}>
        {open ? (
          <Suspense fallback={<Loading what="the form" lines={1} height={36} />}>
            <QuestionForm search={search} onAsk={ask} onCancel={() => setOpen(false)} />
          </Suspense>
        ) : null}
      </div>
    </section>
  );
}
