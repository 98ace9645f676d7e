/** What stands for a script that cannot be shown. */
const notShown = '# Not shown: without the secret in it, the shell would read it in another way';

/** The characters by which the shell tells texts from commands. */
const quoting = (script: string): string => script.replace(/[^'"\\]/g, '');

/**
 * A shell script, cleaned of secrets. A secret may hold quotes, or repeat those of the script: without these, what the
 * deployment sent would be read as commands, and the script is not shown.
 */
export function cleanScript(script: string, clean: (text: string) => string): string {
  const shown = clean(script);
  return quoting(shown) === quoting(script) ? shown : notShown;
}
