// Returns whether a path segment is a UUID. Pages do not request resources for anything else.

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isId = (text: string): boolean => ID.test(text);
