import { createFileRoute } from "@tanstack/react-router";
import { suiteQuery } from "@/api/qualifications";
import { Missing } from "@/entities/missing/Missing";
import { QualificationPage } from "@/features/qualification/QualificationPage";
import { isId } from "@/lib/ids";

export const Route = createFileRoute("/qualifications/$suiteId")({
  loader: ({ context: { queries }, params: { suiteId } }) => {
    if (isId(suiteId)) void queries.prefetchQuery(suiteQuery(suiteId));
  },
  component: QualificationScreen,
});

function QualificationScreen() {
  const { suiteId } = Route.useParams();
  if (!isId(suiteId)) return <Missing page what="qualification" />;
  return <QualificationPage key={suiteId} suiteId={suiteId} />;
}
