import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { settings } from '../../contract/settings.ts';
import { parseSettings } from '../../settings/settings.ts';

const text = readFileSync('.env.example', 'utf8');

test('.env.example, used unchanged, changes nothing', () => {
  expect(parse(text)).toEqual({});
});

test('every line of .env.example, uncommented with its default, is a valid setting', () => {
  const env = parse(text.replace(/^# ([A-Z_]+=)/gm, '$1'));
  expect(Object.keys(env)).toEqual(settings.map(({ name }) => name));
  expect(parseSettings(env)).toEqual(parseSettings({}));
});
