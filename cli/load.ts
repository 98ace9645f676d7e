import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { refuseDebug } from './refuse-debug.ts';

refuseDebug();

// Loading takes much of a short run. Compiled code is kept, which halves it from the second run on.
enableCompileCache(resolve(import.meta.dirname, '../node_modules/.cache/compiled'));

/** `npm run load`. */
const { main } = await import('./load/main.ts');
process.exit(await main(process.argv.slice(2)));
