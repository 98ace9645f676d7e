import type { Budget } from './budget.ts';
import { joinLiterals } from './contents.ts';
import { explain } from './explain.ts';
import type { Key } from './keys.ts';
import type { Leaf } from './leaves.ts';
import { escapePointer, leavesOf, parentOf } from './leaves.ts';
import type { Part, Source } from './scheme.ts';
import type { Match, Scene } from './search.ts';
import { queryOf } from './source.ts';

/** A content of values and texts only, as parts and as the text it has here. */
interface Spelled {
  readonly parts: readonly Part[];
  readonly text: string;
}

const value = (role: 'timestamp' | 'id' | 'field', source: Source, text: string): Spelled => ({
  parts: [{ kind: 'value', role, source }],
  text,
});
const literal = (text: string): Spelled => ({ parts: [{ kind: 'literal', text }], text });
const join = (spelled: readonly Spelled[]): Spelled => ({
  parts: spelled.flatMap(({ parts }) => parts),
  text: spelled.map(({ text }) => text).join(''),
});

/** `id:…;request-id:…;ts:…;`: a manifest of values around the body, which it leaves out. */
export function findManifest(scene: Scene, keys: readonly Key[], budget: Budget): Match[] {
  const { ingredients, delivery } = scene;
  const dataIds = [
    ...queryOf(delivery.url)
      .filter(([name]) => /(^|\.)id$/.test(name))
      .map(([name, text]) => value('field', { in: 'query', name }, text)),
    ...leavesOf(scene.bodies.parsed)
      .filter(({ pointer }) => ['/data/id', '/id'].includes(pointer))
      .map(({ pointer, text }) => value('field', { in: 'body', pointer }, text)),
  ].slice(0, 4);
  const requestIds = ingredients.ids.map(({ part, text }): Spelled => ({ parts: [part], text }));
  const times = ingredients.timestamps.map(({ part, text }): Spelled => ({ parts: [part], text }));
  return dataIds.flatMap((id) =>
    requestIds.flatMap((requestId) =>
      times.flatMap((time) =>
        spellings(
          [join([literal('id:'), id, literal(';request-id:'), requestId, literal(';ts:'), time, literal(';')])],
          scene,
          keys,
          budget,
        ),
      ),
    ),
  );
}

/** Fields of one object, in the order in which a payment service joins them with colons before it signs. */
const joinedFields = [
  'pspReference',
  'originalReference',
  'merchantAccountCode',
  'merchantReference',
  'amount/value',
  'amount/currency',
  'eventCode',
  'success',
];

/** A signature inside the body: over one or two of its neighbours, or over a known list of fields. */
export function findBodyFields(scene: Scene, keys: readonly Key[], budget: Budget): Match[] {
  const leaves = leavesOf(scene.bodies.parsed);
  const inside = [...scene.wanted.values()]
    .flat()
    .filter(({ source }) => source.in === 'body')
    .slice(0, 4);
  return inside.flatMap(({ source }) => {
    const parent = source.in === 'body' ? parentOf(source.pointer) : '';
    const near = leaves.filter(({ pointer }) => parentOf(pointer) === parent).slice(0, 12);
    const spelled = [...pairs(near), ...fieldList(parentOf(parent), leaves), ...fieldList(parent, leaves)];
    return spellings(spelled, scene, keys, budget);
  });
}

function pairs(near: readonly Leaf[]): Spelled[] {
  const fields = near.map(({ pointer, text }) => value('field', { in: 'body', pointer }, text));
  const separators = ['', '.', ':', '|'].map((text) => literal(text));
  return fields.flatMap((first) =>
    fields
      .filter((second) => second !== first)
      .flatMap((second) =>
        separators.map((separator) => join(separator.text === '' ? [first, second] : [first, separator, second])),
      ),
  );
}

function fieldList(parent: string, leaves: readonly Leaf[]): Spelled[] {
  const found = joinedFields.map((name) => {
    const pointer = `${parent}/${name.split('/').map(escapePointer).join('/')}`;
    const leaf = leaves.find((one) => one.pointer === pointer);
    return leaf === undefined ? literal('') : value('field', { in: 'body', pointer }, leaf.text);
  });
  if (found.every(({ text }) => text === '')) {
    return [];
  }
  return [join(found.flatMap((one, index) => (index === 0 ? [one] : [literal(':'), one])))];
}

function spellings(spelled: readonly Spelled[], scene: Scene, keys: readonly Key[], budget: Budget): Match[] {
  return spelled.flatMap(({ parts, text }) =>
    explain(scene, keys, budget, text).map(({ token, key }) => ({
      token,
      key,
      content: { kind: 'parts', parts: joinLiterals(parts) } as const,
    })),
  );
}
