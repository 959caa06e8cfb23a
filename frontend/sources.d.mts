export const DIGEST_FILE: string;
export function sourcesDigest(): string;
export function staleReason(): string | null;
