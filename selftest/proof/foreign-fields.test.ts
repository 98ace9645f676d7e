import { expect, test } from 'vitest';
import type { Transport } from '../../suites/session/transport/transport.ts';
import { world } from '../world/world.ts';

const methods = ['toString', 'valueOf', 'toJSON', 'constructor', '__proto__', 'hasOwnProperty', 'then', 'length', 'at'];
const others = methods.map((_, index) => `extra${'abcdefghi'[index]}`);
const object = (names: readonly string[]): string => `{${names.map((name) => `"${name}":7`).join()}}`;

/** Puts an object with fields of these names into every object of an answer, and instead of values that no check needs. */
const holding =
  (names: readonly string[]) =>
  (transport: Transport): Transport =>
  async (request, bounds) => {
    const answer = await transport(request, bounds);
    const text = String(answer.body)
      .replace(/\{(?=")/g, () => `{"extra":${object(names)},"extras":[${object(names)}],`)
      .replace(/"(impressions|company|summary|phone|notes|capabilities)":("[^"]*"|\d+)/g, (_, name: string) => {
        return `"${name}":${object(names)}`;
      });
    return { ...answer, body: Buffer.from(text) };
  };

/** Puts fields of these names into every object of an answer. */
const withFields =
  (names: readonly string[]) =>
  (transport: Transport): Transport =>
  async (request, bounds) => {
    const answer = await transport(request, bounds);
    const text = String(answer.body).replace(/\{(?=")/g, () => `${object(names).slice(0, -1)},`);
    return { ...answer, body: Buffer.from(text) };
  };

test.for([
  ['developer', 'objects that hold', holding],
  ['developer', 'records that have', withFields],
  ['workspace', 'objects that hold', holding],
  ['workspace', 'records that have', withFields],
] as const)('%s: %s fields named like methods change no verdict', async ([api, , between]) => {
  const verdicts = async (names: readonly string[]): Promise<unknown> => {
    const { results, left } = await world({ api, between: [between(names)] });
    expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
    return { left, verdicts: results.map(({ id, verdict }) => [id, verdict]) };
  };
  expect(await verdicts(methods)).toEqual(await verdicts(others));
});
