// Cost of a subject at its tested load; a press shows the price with date and source.
import { Popover } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { RecordCost as Cost } from "@/api/types";
import { priceAge, priceMeaning, priceText, recordCostText } from "@/entities/drive/cost";
import { PublicationLink } from "@/ui/links";

export function RecordCost({ cost, of }: { cost: Cost; of: string }) {
  const { price } = cost;
  const { text, unit } = recordCostText(cost);
  return (
    <Popover width={280} position="bottom-end" shadow="md" withRoles={false} trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className="plain-button accent small num"
          aria-haspopup="dialog"
          aria-label={`${text}: price of ${of}`}
        >
          {text}
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={`Price of ${of}`}>
        <p>
          <strong>{priceText(price)}</strong>
          {priceAge(price) === null ? "" : `, ${priceAge(price)}`}
        </p>
        <p>{priceMeaning({ ...price, source: null })}</p>
        <p>
          {price.publication === null ? (
            price.source
          ) : (
            <PublicationLink slug={price.publication}>{price.source}</PublicationLink>
          )}
        </p>
        <p className="dim">
          {unit}, at the load of this test. <Link to="/prices">All prices</Link>
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}
