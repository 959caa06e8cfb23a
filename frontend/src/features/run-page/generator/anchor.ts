/** Id of the section, for links to it. */
export const GENERATOR_ID = "load-generator";
