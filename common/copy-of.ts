/** A copy of a string. V8 keeps the whole text in memory as long as a slice of it is held; a copy lets it go. */
export const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
