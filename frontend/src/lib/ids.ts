// Whether a part of an address can be the id of something: what cannot is not asked for.

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isId = (text: string): boolean => ID.test(text);
