/** Where the section stands on the page, for what points at it. */
export const GENERATOR_ID = "load-generator";
