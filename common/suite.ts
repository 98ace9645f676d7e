import { readFileSync } from 'node:fs';

const manifest = new URL('../package.json', import.meta.url);

/** Name and version of the suite, from package.json. */
export function suiteOf(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string };
  return { name, version };
}
