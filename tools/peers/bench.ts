// `npm run bench [-- --tool NAME]... [--resume] [--write-only]`: this suite and other tools, side by side on the same deployments.
import { parseArgs } from 'node:util';
import { measure, tools } from './measure.ts';
import { endAll } from './process.ts';
import { writePeers } from './write.ts';

const options = {
  resume: { type: 'boolean', default: false },
  tool: { type: 'string', multiple: true },
  'write-only': { type: 'boolean', default: false },
} as const;

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
  const unknown = values.tool?.filter((name) => tools.every((tool) => tool.name !== name)) ?? [];
  if (unknown.length > 0) {
    throw new Error(`Cannot measure ${unknown.join(', ')}: must be ${tools.map(({ name }) => `"${name}"`).join(', ')}`);
  }
  if (!values['write-only']) {
    await measure(
      tools.filter(({ name }) => values.tool?.includes(name) ?? true),
      values.resume,
      (line) => process.stdout.write(`${line}\n`),
    );
  }
  writePeers();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAll();
    process.exit(130);
  });
}
await main(process.argv.slice(2));
