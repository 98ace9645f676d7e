import { cleanScript } from '../../../common/clean-script.ts';
import { parseJson, walk } from '../../../common/json.ts';
import { encoded } from '../../../common/uri.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import type { ApiKey, Call, KeyCreation } from '../call.ts';
import type { WireRequest } from '../transport/transport.ts';
import { curl, expansionOf, type Placeholder, requireSetting } from './curl.ts';
import type { OwnRecord, OwnRecords } from './own-records.ts';

/** What a script needs besides the call that it repeats. */
interface ScriptParts {
  readonly records: OwnRecords;
  /** The number of the exchange: what had been deleted before it is deleted in the script, too. */
  readonly number: number;
  /** Redacts a text. */
  readonly clean: (text: string) => string;
  /** How many calls use up the budget first, where the call got 429; 0: none. */
  readonly calls?: number | undefined;
  /** How often to make the call itself, and to count the statuses instead of showing the answer. Default: once. */
  readonly times?: number | undefined;
  /** KEY_SETTLE_MS: how long a deletion may take to show effect. */
  readonly settleMs: number;
  /** The names in EXTRA_HEADERS. */
  readonly extra: readonly string[];
}

/** A call that names no record of the run any more, and the lines that make and delete the records it names instead. */
interface RemadeCall {
  readonly request: WireRequest;
  readonly placeholders: readonly Placeholder[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const notRepeated = 'The id may be that of a record of others by now: put in that of one of your own.';

/** Flags of calls around the judged one. They print nothing, since their answers would run into the judged one's. */
const quietly = '-sS -o /dev/null';

/**
 * Shell lines that repeat a request as they stand. First they make the keys and records that the run had made for it,
 * in the end they delete them; what had been deleted before the request, they delete before it. Keys are read from the
 * settings' variables.
 */
export function scriptOf(wire: WireRequest, call: Call, parts: ScriptParts): string {
  const { calls = 0, times } = parts;
  const remade = withRecordsRemade({ request: withoutExtra(wire, parts), call }, parts);
  const mayBeTheirs = isWrite(call.method) && parts.records.keepsGuessable(call.path);
  const judged =
    times === undefined
      ? [...usingUp(remade, calls), curl(remade.request, remade.placeholders)]
      : [`${loop(remade, times, `${quietly} -w '%{http_code}\\n'`)} | sort | uniq -c`];
  const lines = [...withExtra(parts), ...sentKeys(call).flatMap(requireSetting), ...remade.before, ...judged];
  const text = cleanScript([...lines, ...remade.after].join('\n'), parts.clean);
  return mayBeTheirs ? [notRepeated, ...text.split('\n')].map((line) => `# ${line}`).join('\n') : text;
}

type Extra = Pick<ScriptParts, 'extra'>;

/** Lines after which each call of curl sends EXTRA_HEADERS, too. */
function withExtra({ extra }: Extra): string[] {
  const options = extra.map(
    (name) => `-H "${name.replace(/[$\x60]/g, '\\$&')}: ${readJson('EXTRA_HEADERS', `/${name}`)}" `,
  );
  return extra.length === 0 ? [] : [': "${EXTRA_HEADERS:?}"', `curl() { command curl ${options.join('')}"$@"; }`];
}

/** A request without the headers of EXTRA_HEADERS. */
const withoutExtra = (request: WireRequest, { extra }: Extra): WireRequest => ({
  ...request,
  headers: request.headers.filter(([name]) => !extra.includes(name)),
});

/** The line that waits until a deletion shows effect. */
const settling = ({ settleMs }: Pick<ScriptParts, 'settleMs'>): string[] =>
  settleMs === 0 ? [] : [`sleep ${Math.ceil(settleMs / 1000)}`];

/** The keys that a call was sent with. */
const sentKeys = ({ key, queryKey }: Call): ApiKey[] =>
  [key, queryKey ?? null].filter((sent): sent is ApiKey => sent !== null && sent.secret !== '');

/** Lines that use up a budget with calls like the judged one, where that is a read: each write would leave a record. */
const usingUp = ({ request, placeholders }: RemadeCall, calls: number): string[] =>
  calls === 0 || request.method !== 'GET' ? [] : [loop({ request, placeholders }, calls, quietly)];

const loop = ({ request, placeholders }: Pick<RemadeCall, 'request' | 'placeholders'>, times: number, flags: string) =>
  `for CALL in $(seq ${times}); do\n  ${curl(request, placeholders, flags).replaceAll('\\\n', '\\\n  ')}\ndone`;

/**
 * Replaces the ids of the run's own records in a call by variables, and its keys too, and adds the lines that set these.
 * `maker`: the given key that is sent in place of the call's.
 */
function withRecordsRemade(
  { request, call, maker }: Pick<RemadeCall, 'request'> & { readonly call: Call; readonly maker?: ApiKey },
  parts: Omit<ScriptParts, 'calls'>,
  usedVariables: string[] = [],
): RemadeCall {
  const keys = sentKeys(call);
  // The key that was sent may be derived from one that the run made.
  const ownKey = keys.map(({ derivedFrom, ...key }) => derivedFrom ?? key).find(({ creation }) => creation);
  const { inPath, inBody, asKey } = parts.records.usedBy(call, maker === undefined ? ownKey : undefined);
  const placeholders = keys.map((key) => ({
    secret: key.secret,
    expansion: expansionOf(maker ?? key, asKey !== undefined),
  }));
  const before: string[] = [];
  const after: string[] = [];
  const remade = { ...request };
  for (const { secret, prefix } of madeUpSecrets(request.body, parts.clean)) {
    placeholders.push({ secret, expansion: '$SECRET' });
    before.push(`SECRET=${prefix}$(node -p 'require("crypto").randomBytes(24).toString("base64")')`);
  }
  for (const record of new Set([...inBody, ...[inPath, asKey].filter((one) => one !== undefined)])) {
    const variable = newVariable(record, usedVariables);
    const marker = `\u0002${variable}\u0003`;
    placeholders.push({ secret: marker, expansion: `\${${variable}:?}` });
    remade.body = remade.body?.replaceAll(JSON.stringify(record.id), `"${marker}"`) ?? null;
    if (record === inPath) {
      remade.url = remade.url.replace(`${record.collection}/${encoded(record.id)}`, `${record.collection}/${marker}`);
    }
    const isKey = record === asKey;
    const { make, remove } = recordLines(record, variable, parts, usedVariables, isKey ? ownKey?.creation : undefined);
    before.push(...make);
    if (isKey && ownKey?.origin === 'unknown') {
      // A deployment may cache keys that it has seen: a deleted key was used before its deletion, so the script uses it
      // once, too.
      before.push(curl(remade, placeholders, quietly));
    }
    if ((record.deletedBy ?? Infinity) < parts.number || (isKey && ownKey?.origin === 'unknown')) {
      before.push(...remove, ...settling(parts));
    } else {
      after.unshift(...remove);
    }
  }
  return { request: remade, placeholders, before, after };
}

/** The secrets that the run made up and that are whole values of the body. Redacting one leaves its prefix and `…`. */
function madeUpSecrets(
  body: string | null,
  clean: ScriptParts['clean'],
): { readonly secret: string; readonly prefix: string }[] {
  const values = new Set(walk(body === null ? null : parseJson(body)).map(({ value }) => value));
  return [...values].flatMap((value) => {
    const prefix = typeof value === 'string' ? /^(\w*)…$/.exec(clean(value))?.[1] : undefined;
    return typeof value !== 'string' || prefix === undefined ? [] : [{ secret: value, prefix }];
  });
}

/** A variable for the id of a record, `AGENT_ID` or `AGENT_ID_2`; it is added to the used ones. */
function newVariable({ collection }: OwnRecord, used: string[]): string {
  const noun = (collection.split('/').at(-1) ?? '').replace(/s$/, '').toUpperCase();
  const before = used.filter((name) => name.startsWith(`${noun}_ID`)).length;
  const name = before === 0 ? `${noun}_ID` : `${noun}_ID_${before + 1}`;
  used.push(name);
  return name;
}

/**
 * Lines that make a record as the run made it, with its id in the variable, and that delete it where the API can. `key`:
 * how the run made the key that it is; the key itself is in `$KEY` then.
 */
function recordLines(
  { call, request: wire, place, maker, id }: OwnRecord,
  variable: string,
  parts: Omit<ScriptParts, 'number'>,
  usedVariables: string[],
  key?: KeyCreation,
): { readonly make: readonly string[]; readonly remove: readonly string[] } {
  const request = withoutExtra(wire, parts);
  const create = withRecordsRemade({ request, call, maker }, { ...parts, number: Infinity }, usedVariables);
  const marker = '\u0002';
  const placeholders = [...create.placeholders, { secret: marker, expansion: `\${${variable}:?}` }];
  const headers = request.headers.filter(([name]) => !/^content-type$/i.test(name));
  const onRecord = (method: string, below: string, flags: string): string => {
    const url = `${request.url.replace(/\?.*$/, '')}/${marker}${below}`;
    return curl({ method, url, headers, body: null }, placeholders, flags);
  };
  const rotation = [`MADE=$(${onRecord('POST', '/rotate', '-sS')})`, `KEY=${readMade(key?.rotatedAt ?? '')}`];
  return {
    make: [
      ...create.before,
      `MADE=$(${curl(create.request, create.placeholders, '-sS')})`,
      `${variable}=${readMade(place, id)}`,
      ...(key === undefined ? [] : [`KEY=${readMade(key.secretAt)}`]),
      ...(key?.rotatedAt === undefined ? [] : rotation),
    ],
    remove: [onRecord('DELETE', '', quietly), ...create.after],
  };
}

/** Shell text that reads the value at a pointer in the answer of the call that makes something. */
const readMade = (pointer: string, ownValue?: string): string => readJson('MADE', pointer, ownValue);

/**
 * Shell text that reads the value at a pointer in the JSON of a variable, with Node. `ownValue`: the value in the run.
 * Without the `--`, Node would take an answer that begins with a dash for an option, and `--import` runs code.
 */
const readJson = (variable: string, pointer: string, ownValue = ''): string => {
  const text = /^\d{16,}$/.test(ownValue) ? withQuotedNumbers : 'process.argv[1]';
  return `$(node -p 'JSON.parse(${text})${expressionOf(pointer)}' -- "$${variable}")`;
};

/** Puts quotes around numbers so long that JSON.parse would round them. */
const withQuotedNumbers = String.raw`process.argv[1].replace(/(?<=[:,[]\s*)\d{16,}/g, "\"$&\"")`;

/** A JSON pointer as an expression of JavaScript that can go into single quotes of a shell, in plain ASCII. */
const expressionOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => (/^[A-Za-z_$][\w$]*$/.test(token) ? `.${token}` : `[${JSON.stringify(token)}]`))
    .join('')
    .replace(/['\x7f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
