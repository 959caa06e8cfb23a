import { createFileRoute } from "@tanstack/react-router";
import { formatsQuery } from "@/api/formats";
import { FormatsPage } from "@/features/formats/FormatsPage";

export const Route = createFileRoute("/formats")({
  loader: ({ context: { queries } }) => void queries.prefetchQuery(formatsQuery()),
  component: FormatsPage,
});
