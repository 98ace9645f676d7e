import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { withoutDebug } from './without-debug.ts';

withoutDebug();

// As for `npm test`: loading is a good part of a short run.
enableCompileCache(resolve(import.meta.dirname, '../node_modules/.cache/compiled'));

/** `npm run load`. */
const { main } = await import('./load/main.ts');
process.exit(await main(process.argv.slice(2)));
