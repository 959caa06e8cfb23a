import { createFileRoute } from "@tanstack/react-router";
import { PricesPage } from "@/features/prices/PricesPage";

export const Route = createFileRoute("/prices")({ component: PricesPage });
