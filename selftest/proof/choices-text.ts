/** Choices from their form on the command line: `NAME=VALUE NAME=VALUE`. */
export const choicesIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/(\S+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));

/** Choices in their form on the command line. */
export const choicesText = (chosen: Readonly<Record<string, string>>): string =>
  Object.entries(chosen)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
