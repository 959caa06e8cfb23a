// What the address of a comparison says.
export const TEMPLATE_NAMES = ["server-generations", "networks"] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

export type CompareSearch = {
  /** Subjects by the names of the API, the base first, with commas between. */
  of?: string;
  operation?: string;
  template?: TemplateName;
  scale?: "linear" | "log";
};

export type CompareChange = { [Key in keyof CompareSearch]?: CompareSearch[Key] | undefined };
