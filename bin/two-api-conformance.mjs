#!/usr/bin/env node
// The package's executable: `two-api-conformance [COMMAND] [arguments]`, with the commands of package.json's scripts.
// It is plain JavaScript without new syntax, so that an old Node gets a sentence and no stack.
import { existsSync } from 'node:fs';

const needed = [22, 19];
const has = process.versions.node.split('.').map(Number);
const isOld = has[0] < needed[0] || (has[0] === needed[0] && has[1] < needed[1]);

const commands = ['test', 'plan', 'load', 'repeat', 'compare', 'har', 'signature', 'receiver', 'reference', 'cleanup'];
const [first = 'test', ...others] = process.argv.slice(2);
const isCommand = commands.includes(first);
// Options, APIs and files belong to test: `two-api-conformance developer -t developer.auth`.
const command = isCommand ? first : 'test';
const file = new URL(`../dist/cli/${command}.js`, import.meta.url);

if (isOld) {
  console.error(`two-api-conformance needs Node ${needed.join('.')} or newer, this is ${process.versions.node}`);
  process.exitCode = 2;
} else if (!existsSync(file)) {
  console.error(`Cannot run ${command}: the package is not built; run npm run build`);
  process.exitCode = 2;
} else {
  process.argv.splice(2, process.argv.length, ...(isCommand ? others : process.argv.slice(2)));
  await import(file.href);
}
