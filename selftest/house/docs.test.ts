import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { settings } from '../../contract/settings.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { parseSettings } from '../../settings/settings.ts';
import { pages } from '../../tools/docs/documents.ts';
import { files, textOf } from './source-files.ts';

const markdown = files.filter((file) => file.endsWith('.md'));
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };

test('the README has at most 200 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
});

test.each(Object.entries(pages()))('%s is current', (path, text) => {
  expect(textOf(path), `${path} is stale: npm run docs`).toBe(text);
});

test('every line of .env.example, uncommented with its default, is a valid setting, and changes nothing', () => {
  const env = parse(textOf('.env.example').replace(/^# ([A-Z_]+=)/gm, '$1'));
  expect(Object.keys(env)).toEqual(settings.map(({ name }) => name));
  expect(parseSettings(env)).toEqual(parseSettings({}));
});

test('the examples in CONTRIBUTING are what their files say', () => {
  const examples = [...textOf('CONTRIBUTING.md').matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)];
  const unindented = (text: string): string => text.replace(/^ +/gm, '');
  expect(examples.length).toBeGreaterThan(2);
  for (const [, path = '', code = ''] of examples) {
    expect(unindented(textOf(path)), path).toContain(unindented(code));
  }
});

/** What the pages may name. */
const known: ReadonlySet<string> = new Set([
  ...Object.keys(scripts).map((name) => `npm run ${name}`),
  ...faults.map(({ id }) => `--fault ${id}`),
  ...choices.flatMap(({ name, values }) => Object.keys(values).map((value) => `--choice ${name}=${value}`)),
]);
const room = 'cli|common|contract|docs|fixtures|limits|load|reports|results|selftest|settings|suites|tools|webhooks';

test.each(markdown)(
  '%s names npm commands, faults, choices, files and folders that exist, or that a run creates',
  (page) => {
    const text = textOf(page);
    const named = text
      .replaceAll('run --silent', 'run')
      .matchAll(/npm run [a-z0-9:]+|--fault [a-z][a-z0-9-]+|--choice [a-z][\w-]*=[\w-]+/g);
    expect([...named].map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
    const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
      normalize(join(dirname(page), link)),
    );
    const paths = [...text.matchAll(new RegExp(`\`((?:${room})/[\\w./-]*)\``, 'g'))].map(([, path = '']) => path);
    const isMade = (path: string): boolean =>
      /[A-Z]{4}/.test(path) || (/^(reports\/|load\/\.cache)/.test(path) && !path.endsWith('.ts'));
    expect([...linked, ...paths.filter((path) => !isMade(path))].filter((path) => !existsSync(path))).toEqual([]);
  },
);
