/** Whether a secret is masked, by several stars or dots or by a word. A single star may belong to the secret. */
export const isMasked = (text: string): boolean => /\*{2,}|[…•]|\.\.\.|redacted|hidden/i.test(text);
