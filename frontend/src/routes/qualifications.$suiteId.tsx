import { createFileRoute } from "@tanstack/react-router";
import { suiteQuery } from "@/api/qualifications";
import { QualificationPage } from "@/features/qualification/QualificationPage";

export const Route = createFileRoute("/qualifications/$suiteId")({
  loader: ({ context: { queries }, params: { suiteId } }) => void queries.prefetchQuery(suiteQuery(suiteId)),
  component: QualificationScreen,
});

function QualificationScreen() {
  const { suiteId } = Route.useParams();
  return <QualificationPage key={suiteId} suiteId={suiteId} />;
}
