/** A part of a text keeps the whole in memory: a copy does not. */
export const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
