// Apart from its route, so that the charts are loaded only where they are shown.
import { getRouteApi } from "@tanstack/react-router";
import { QualificationPage } from "@/features/qualification/QualificationPage";

const route = getRouteApi("/qualifications/$suiteId");

export function QualificationScreen() {
  const { suiteId } = route.useParams();
  return <QualificationPage key={suiteId} suiteId={suiteId} />;
}
