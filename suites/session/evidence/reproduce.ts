import { parseJson, walk } from '../../../common/json.ts';
import { encoded } from '../../../common/uri.ts';
import { isEndpoint } from '../../../contract/endpoints.ts';
import type { Call } from '../call.ts';
import type { ApiKey, KeyCreation, KeyPlaces } from '../key.ts';
import type { WireRequest } from '../transport/transport.ts';
import { curl, expansionOf, type Placeholder, question, settingName } from './curl.ts';
import type { OwnRecord, OwnRecords } from './own-records.ts';

/** Lines around the call that is shown: what it needs is made before it, and deleted after it. */
interface Frame {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** How a call is written, and what has to stand around it. */
interface Written extends Frame {
  readonly request: WireRequest;
  readonly placeholders: readonly Placeholder[];
}

/** A JSON pointer as an expression of JavaScript: Node is there, since the suite runs on it. */
const expressionOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => (/^[A-Za-z_$][\w$]*$/.test(token) ? `.${token}` : `[${JSON.stringify(token)}]`))
    .join('');

/** What is done around the judged call prints nothing: its answer would run into that of the call. */
const quietly = '-sS -o /dev/null';

/** Numbers that JSON.parse would round are put in quotes first. */
const exactly = String.raw`process.argv[1].replace(/(?<=[:,[]\s*)\d{16,}/g, "\"$&\"")`;

/** `value`: what stands there in the run's own answer. */
const pick = (pointer: string, value = ''): string => {
  const text = /^\d{16,}$/.test(value) ? exactly : 'process.argv[1]';
  return `$(node -p 'JSON.parse(${text})${expressionOf(pointer)}' "$MADE")`;
};

/** Lines that take secret and id out of what a command prints. `own`: the id in the run's own answer. */
const shownBy = (command: string, { id, secret }: KeyPlaces, own: string | undefined): string[] => [
  `MADE=$(${command})`,
  `KEY=${pick(secret)}`,
  ...(id === undefined ? [] : [`ID=${pick(id, own)}`]),
];

/** Lines that make a key like the one that the run made, and that delete it again. */
function lifeOf(
  { request, makerSetting: maker, places, rotated }: KeyCreation,
  id: string | undefined,
): { readonly make: string[]; readonly remove: string } {
  const key: Placeholder = { secret: '\u0000', expansion: `\${${settingName(maker)}:?}` };
  const headers = [['X-API-Key', key.secret] as const];
  const create: WireRequest = {
    method: 'POST',
    url: request.url,
    headers: [...headers, ['Content-Type', 'application/json']],
    body: request.body,
  };
  const remove: WireRequest = { method: 'DELETE', url: `${request.url}/\u0001`, headers, body: null };
  const placeholders = [key, { secret: '\u0001', expansion: '$ID' }];
  const rotate: WireRequest = { method: 'POST', url: `${request.url}/\u0001/rotate`, headers, body: null };
  return {
    make: [
      ...shownBy(curl(create, [key], '-sS'), places, id),
      ...(rotated === undefined ? [] : shownBy(curl(rotate, placeholders, '-sS'), rotated, id)),
    ],
    remove: curl(remove, placeholders, quietly),
  };
}

/** The keys that a call was sent with, as the shell puts them in. */
const keysOf = ({ key, queryKey }: Call): ApiKey[] =>
  [key, queryKey ?? null].filter((one): one is ApiKey => one !== null && one.secret !== '');
const expansionsOf = (call: Call): Placeholder[] =>
  keysOf(call).map((key) => ({ secret: key.secret, expansion: expansionOf(key) }));

/**
 * A call that is free of the run's own ids: what it names is made anew before it. `number` is the call's own: what had been
 * deleted by then is deleted before it, too.
 */
function written(
  { request, call, keys }: Pick<OwnRecord, 'request' | 'call'> & { readonly keys: readonly Placeholder[] },
  { records, clean }: Pick<Repetition, 'records' | 'clean'>,
  number: number,
  taken: string[] = [],
): Written {
  const { inPath, inBody } = records.usedBy(call);
  const placeholders = [...keys];
  const frame: { before: string[]; after: string[] } = { before: [], after: [] };
  const stand = { ...request };
  for (const { value, form } of madeUp(request.body, clean)) {
    placeholders.push({ secret: value, expansion: '$SECRET' });
    frame.before.push(`SECRET=${form}$(node -p 'require("crypto").randomBytes(24).toString("base64")')`);
  }
  for (const record of new Set([...inBody, ...(inPath === undefined ? [] : [inPath])])) {
    const variable = nameFor(record, taken);
    const marker = `\u0002${variable}\u0003`;
    placeholders.push({ secret: marker, expansion: `$${variable}` });
    stand.body = stand.body?.replaceAll(JSON.stringify(record.id), `"${marker}"`) ?? null;
    if (record === inPath) {
      const own = `${record.collection}/`;
      stand.url = stand.url.replace(own + encoded(record.id), own + marker);
    }
    const { make, remove } = lifeOfRecord(record, variable, { records, clean }, taken);
    const isGone = record.deletedBy !== null && record.deletedBy < number;
    frame.before.push(...make, ...(isGone ? remove : []));
    frame.after.unshift(...(isGone ? [] : remove));
  }
  return { request: stand, placeholders, ...frame };
}

/** The secrets that a body holds as whole values: the run made them up, and no report shows them. `form`: how they begin. */
function madeUp(body: string | null, clean: Repetition['clean']): { readonly value: string; readonly form: string }[] {
  const texts = new Set(walk(body === null ? null : parseJson(body)).map(({ value }) => value));
  return [...texts].flatMap((value) => {
    const form = typeof value === 'string' ? /^(\w*)…$/.exec(clean(value))?.[1] : undefined;
    return typeof value !== 'string' || form === undefined ? [] : [{ value, form }];
  });
}

/** `AGENT_ID`, `AGENT_ID_2`. */
function nameFor({ collection }: OwnRecord, taken: string[]): string {
  const noun = (collection.split('/').at(-1) ?? '').replace(/s$/, '').toUpperCase();
  const before = taken.filter((name) => name.startsWith(`${noun}_ID`)).length;
  const name = before === 0 ? `${noun}_ID` : `${noun}_ID_${before + 1}`;
  taken.push(name);
  return name;
}

/** Lines that make a record like the one that the run made, and that delete it again, where the API can. */
function lifeOfRecord(
  { collection, call, request, place, maker, id }: OwnRecord,
  variable: string,
  known: Pick<Repetition, 'records' | 'clean'>,
  taken: string[],
): { readonly make: readonly string[]; readonly remove: readonly string[] } {
  const keys = keysOf(call).map(({ secret }) => ({ secret, expansion: expansionOf(maker) }));
  const create = written({ request, call, keys }, known, Infinity, taken);
  const headers = request.headers.filter(([name]) => !/^content-type$/i.test(name));
  const marker = '\u0002';
  const url = `${request.url.replace(/\?.*$/, '')}/${marker}`;
  const remove: WireRequest = { method: 'DELETE', url, headers, body: null };
  const placeholders = [...keys, { secret: marker, expansion: `$${variable}` }];
  return {
    make: [
      ...create.before,
      `MADE=$(${curl(create.request, create.placeholders, '-sS')})`,
      `${variable}=${pick(place, id)}`,
    ],
    remove: [...(isEndpoint(`DELETE ${collection}/:id`) ? [curl(remove, placeholders, quietly)] : []), ...create.after],
  };
}

interface Repetition {
  readonly records: OwnRecords;
  readonly number: number;
  readonly clean: (text: string) => string;
  /** How many calls use up the budget that the call had none left of; 0: it had. */
  readonly calls?: number;
}

/** Reads alone are sent in numbers: writes would leave as many records. */
const usingUp = (request: WireRequest, placeholders: readonly Placeholder[], calls: number): string[] =>
  calls === 0 || request.method !== 'GET'
    ? []
    : [`for CALL in $(seq ${calls}); do\n  ${curl(request, placeholders, quietly).replaceAll('\\\n', '\\\n  ')}\ndone`];

/**
 * Shell lines that repeat a request as they stand. What the run made for it, a key or a record, they make first and delete
 * in the end; what had been deleted by then they delete first. Keys stand in them as the names of their settings.
 */
export function scriptOf(wire: WireRequest, call: Call, { records, number, clean, calls = 0 }: Repetition): string {
  const { request, placeholders, before, after } = written(
    { request: wire, call, keys: expansionsOf(call) },
    { records, clean },
    number,
  );
  const keys = keysOf(call);
  const judged = [...usingUp(request, placeholders, calls), curl(request, placeholders)].join('\n');
  // What was sent may be made of one of the run's own keys.
  const own = keys
    .map((key) => (key.creation === undefined ? key.derivedFrom : key))
    .find((key) => key?.creation !== undefined);
  if (own?.creation === undefined) {
    return clean([...keys.flatMap(question), ...before, judged, ...after].join('\n'));
  }
  const { make, remove } = lifeOf(own.creation, own.id);
  // A deployment may remember a key that it has seen: before it is deleted, the call is made with it once.
  const once = curl(request, placeholders, quietly);
  const lines = own.origin === 'unknown' ? [...make, once, remove, judged] : [...make, judged, remove];
  return clean([...before, ...lines, ...after].join('\n'));
}
