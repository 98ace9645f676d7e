/** What stands for a script that cannot be shown. */
const notShown = '# Not shown: without the secret in it, the shell would read it in another way';

/** The parts of a shell script: an escaped character, a text in double or single quotes, or anything else. */
const parts = /\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*'|[\s\S]/g;

/** A script without what is in single quotes. */
const outsideOfQuotes = (script: string): string =>
  script.replace(parts, (part) => (part.length > 1 && part.startsWith("'") ? "''" : part));

/**
 * A shell script, cleaned of secrets. A secret may hold quotes, or repeat those of the script: without these, what the
 * deployment sent would be read as commands, and the script is not shown.
 */
export function cleanScript(script: string, clean: (text: string) => string): string {
  const shown = clean(script);
  return shown === script || outsideOfQuotes(shown) === outsideOfQuotes(script) ? shown : notShown;
}
