// Percentile curves of linked runs on one axis.
import type { Chain } from "@/api/chains";
import type { ChartSpec } from "@/charts/spec";
import { curveSpec } from "./curves";

const LAYERS = { device: "Device", server: "Server", database: "Database", network: "Network" } as const;
export const layerName = (layer: keyof typeof LAYERS): string => LAYERS[layer];

export function chainSpec(chain: Chain): ChartSpec {
  const subjects = chain.hops.map(({ layer, title, curve }) => ({ label: `${layerName(layer)}: ${title}`, curve }));
  const spec = curveSpec({ subjects, operation: chain.hops[0]?.operation ?? "" }, "auto");
  return { ...spec, title: "Each hop on one axis, innermost layer first" };
}
