import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Delivery } from '../../webhooks/signature/delivery.ts';
import { discoverScheme } from '../../webhooks/signature/discover.ts';
import { wrongSecret } from '../../webhooks/signature/read/keys.ts';
import { snippet } from '../../webhooks/signature/snippet.ts';
import { newFolder } from '../new-folder.ts';
import { deliveriesOf } from '../unit/webhooks/signature/families/family.ts';
import { families } from '../unit/webhooks/signature/families.ts';

/** The input of a verifying function, and whether it must accept it. */
interface Case {
  readonly family: string;
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly registeredUrl: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly secret: string;
  readonly now: number;
  readonly good: boolean;
}

const schemes = families.flatMap((family) => {
  const deliveries = deliveriesOf(family);
  const found = discoverScheme(deliveries, family.secret);
  return found.kind === 'verified' ? [{ family, deliveries, scheme: found.scheme }] : [];
});
const cases = schemes.flatMap(({ family, deliveries, scheme }) => {
  const delivery = deliveries[1];
  return delivery === undefined
    ? []
    : casesOf(family.name, delivery, family.secret, scheme.timestamp?.covered === true);
});

function casesOf(family: string, delivery: Delivery, secret: string, timed: boolean): Case[] {
  const good: Case = {
    family,
    what: 'valid',
    method: delivery.method,
    path: delivery.url,
    registeredUrl: delivery.registeredUrl,
    secret,
    now: delivery.receivedAt,
    good: true,
    headers: Object.fromEntries(delivery.headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: delivery.body.toString('base64'),
  };
  const tampered = Buffer.from(delivery.body);
  tampered[10] = (tampered[10] ?? 0) ^ 1;
  const bare = Object.fromEntries(
    Object.entries(good.headers).filter(([name]) => !/sign|hmac|authorization|mac$|sig$/i.test(name)),
  );
  const inBody = Object.keys(bare).length === Object.keys(good.headers).length;
  return [
    good,
    { ...good, what: 'tampered', body: tampered.toString('base64'), good: false },
    { ...good, what: 'unsigned', headers: bare, body: inBody ? 'e30=' : good.body, good: false },
    { ...good, what: 'wrong secret', secret: wrongSecret(secret), good: false },
    ...(timed ? [{ ...good, what: 'stale', now: good.now + 3_600_000, good: false }] : []),
  ];
}

const folder = newFolder();
beforeAll(() => {
  for (const [index, { scheme }] of schemes.entries()) {
    writeFileSync(join(folder, `s${index}.mjs`), snippet(scheme, 'node'));
    writeFileSync(join(folder, `s${index}.py`), snippet(scheme, 'python'));
  }
  writeFileSync(
    join(folder, 'cases.json'),
    JSON.stringify(
      cases.map((one) => ({ ...one, file: `s${schemes.findIndex(({ family }) => family.name === one.family)}` })),
    ),
  );
});

const expected = cases.map(({ family, what, good }) => `${family}, ${what}: ${good}`);

describe('a verifying function made for a scheme', () => {
  test('every family has one', () => expect(schemes).toHaveLength(families.length));

  test('accepts and rejects correctly in Node', async () => {
    const said: string[] = [];
    for (const one of cases) {
      const file = join(folder, `s${schemes.findIndex(({ family }) => family.name === one.family)}.mjs`);
      const { verifyWebhook } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
        verifyWebhook: (given: object) => unknown;
      };
      said.push(
        `${one.family}, ${one.what}: ${String(verifyWebhook({ ...one, rawBody: Buffer.from(one.body, 'base64') }))}`,
      );
    }
    expect(said).toEqual(expected);
  });

  const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
  test.skipIf(!python)('accepts and rejects rightly in Python 3.11 and later', () => {
    writeFileSync(
      join(folder, 'run.py'),
      `import base64, importlib, json
for one in json.load(open("cases.json")):
    verify = importlib.import_module(one["file"]).verify_webhook
    said = verify(base64.b64decode(one["body"]), one["headers"], one["secret"], one["method"], one["path"], one["registeredUrl"], one["now"] / 1000)
    print(f'{one["family"]}, {one["what"]}: {str(said).lower()}')
`,
    );
    const run = spawnSync('python3', ['run.py'], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
    expect(run.stderr).toBe('');
    expect(run.stdout.trim().split('\n')).toEqual(expected);
  });
});
