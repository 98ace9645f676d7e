/** A secret of which the rest is left out: several stars or dots, or words in its place. One star may be the secret's own. */
export const isMasked = (text: string): boolean => /\*{2,}|[…•]|\.\.\.|redacted|hidden/i.test(text);
