// npm run docs: writes what is made from the contract, the proof and the plan.
import { writeFileSync } from 'node:fs';
import { documents } from './documents.ts';

for (const [path, text] of Object.entries(await documents())) {
  writeFileSync(path, text);
}
