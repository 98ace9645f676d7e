import { readFileSync } from 'node:fs';

const manifest = new URL('../package.json', import.meta.url);

/** Whether this is the built package, whose executable has the commands. */
const isPackage = import.meta.filename.endsWith('.js');
/** What stands before the arguments of a command. */
export const dashes = isPackage ? '' : '-- ';

/** What runs a command: `npm run repeat -- CLAUSE`. */
export function commandOf(script: string, args = ''): string {
  const own = script === 'test' ? 'npm test' : `npm run ${script}`;
  return `${isPackage ? `npx two-api-conformance ${script}` : own}${args && ` ${dashes}${args}`}`;
}

/** Name and version of the suite, from package.json. */
export function suiteOf(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string };
  return { name, version };
}
