// Renders saved items by kind, each a link with a remove button.
import { ActionIcon } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconCross } from "@/ui/icons";
import { Failed } from "@/ui/states";
import { KIND_NAMES, placeOf } from "./items";
import { useSaved } from "./useSaved";

export function SavedList({ onFollow }: { onFollow?: () => void }) {
  const { items, where, toggle, error } = useSaved();
  if (error !== null) return <Failed error={error} what="What you have saved" />;
  if (items.length === 0)
    return (
      <p className="dim">
        Nothing is saved yet. Questions, shortlists, drives and runs have a button “Save”. Without an account they stay
        in this browser; an account takes them over.
      </p>
    );
  return (
    <div className="stack-16">
      {Object.entries(KIND_NAMES).map(([kind, name]) => {
        const own = items.filter((item) => item.kind === kind);
        return own.length === 0 ? null : (
          <div key={kind}>
            <h3 className="small">{name}</h3>
            <ul className="stack-4 plain-list wrap-anywhere">
              {own.map((item) => {
                const { to, search } = placeOf(item);
                return (
                  <li key={item.address} className="row between" style={{ flexWrap: "nowrap" }}>
                    <Link to={to as never} search={search as never} onClick={() => onFollow?.()}>
                      {item.title}
                    </Link>
                    <ActionIcon
                      size="sm"
                      className="no-print"
                      aria-label={`Remove ${item.title}`}
                      onClick={() => toggle(item)}
                    >
                      <IconCross size={12} />
                    </ActionIcon>
                  </li>
                );
              })}
            </ul>
          </div>
        );
      })}
      <p className="dim">{where}.</p>
    </div>
  );
}
