import { cleanScript } from '../../../common/clean-script.ts';
import { parseJson, walk } from '../../../common/json.ts';
import { encoded } from '../../../common/uri.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import type { Settings } from '../../../settings/settings.ts';
import type { ApiKey, Call, KeyCreation } from '../call.ts';
import type { WireRequest } from '../transport/transport.ts';
import { curl, expansionOf, type Placeholder, requireSetting } from './curl.ts';
import { isKeyOf, type OwnRecord, type OwnRecords } from './own-records.ts';

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
  readonly settings: Pick<Settings, 'KEY_SETTLE_MS' | 'EXTRA_HEADERS'>;
}

/** A record that a script makes again, and the variable for its id: `AGENT_ID`, or `AGENT_ID_2`. */
type Remade = OwnRecord & { readonly variable: string };

/** Flags of calls around the judged one. They print nothing, since their answers would run into the judged one's. */
const quietly = '-sS -o /dev/null';

/**
 * Shell lines that repeat a request as they stand. First they make the keys and records that the run had made for it,
 * in the end they delete them; what had been deleted before the request, they delete before it. Keys are read from the
 * settings' variables.
 */
export function scriptOf(wire: WireRequest, call: Call, parts: ScriptParts): string {
  const { records, number, calls = 0, times } = parts;
  const settleMs = parts.settings.KEY_SETTLE_MS;
  const keys = sentKeys(call);
  // The key that was sent may be derived from one that the run made.
  const ownKey = keys.map(({ derivedFrom, ...key }) => derivedFrom ?? key).find(({ creation }) => creation);
  const remade = records.neededBy(call, ownKey).map((record, index, all): Remade => {
    const noun = (record.collection.split('/').at(-1) ?? '').replace(/s$/, '').toUpperCase();
    const before = all.slice(0, index).filter(({ collection }) => collection === record.collection).length;
    return { ...record, variable: `${noun}_ID${before === 0 ? '' : `_${before + 1}`}` };
  });
  const hasOwnKey = remade.some((record) => isKeyOf(record, ownKey));
  const sent = keys.map((key) => ({ secret: key.secret, expansion: expansionOf(key, hasOwnKey) }));
  const again = (flags?: string): string => curlOf(wire, sent, remade, parts, flags);
  const made = remade.map((record) => {
    const isKey = isKeyOf(record, ownKey);
    // A secret that the key had before its rotation.
    const isFormer = isKey && !ownKey?.creation?.rotatedAt && records.wasRotated(record, number);
    const isGone = records.wasDeleted(record, number) || (isKey && ownKey?.origin === 'unknown' && !isFormer);
    return { ...linesOf(record, remade, parts, isKey ? ownKey?.creation : undefined), isFormer, isGone };
  });
  const gone = made.filter(({ isGone }) => isGone);
  const removing = (some: typeof made): string[] => some.map(({ remove }) => remove).reverse();
  const lines = [
    ...withExtra(parts),
    ...keys.flatMap(requireSetting),
    ...made.flatMap(({ make }) => make),
    ...secretLines(wire, parts),
    // A deployment may cache keys that it has seen: a deleted key was used before its deletion, so the script uses it
    // once, too.
    ...(hasOwnKey && ownKey?.origin === 'unknown' ? [again(quietly)] : []),
    ...made.flatMap(({ isFormer, rotate }) => (isFormer ? [rotate(quietly)] : [])),
    ...removing(gone),
    // Until the deletion shows effect.
    ...(gone.length > 0 && settleMs > 0 ? [`sleep ${Math.ceil(settleMs / 1000)}`] : []),
    // Calls like a read use up a budget: each write would leave a record.
    ...(times === undefined && calls > 0 && call.method === 'GET' ? [loop(again(quietly), calls)] : []),
    times === undefined ? again() : `${loop(again(`${quietly} -w '%{http_code}\\n'`), times)} | sort | uniq -c`,
    ...removing(made.filter(({ isGone }) => !isGone)),
  ];
  const text = cleanScript(lines.join('\n'), parts.clean);
  const mayBeTheirs = isWrite(call.method) && records.keepsGuessable(call.path);
  const notRepeated = 'The id may be that of a record of others by now: put in that of one of your own.';
  return mayBeTheirs ? [notRepeated, ...text.split('\n')].map((line) => `# ${line}`).join('\n') : text;
}

const extraOf = ({ settings }: Pick<ScriptParts, 'settings'>): string[] => Object.keys(settings.EXTRA_HEADERS ?? {});

/** Lines after which each call of curl sends EXTRA_HEADERS, too. */
function withExtra(parts: ScriptParts): string[] {
  const options = extraOf(parts).map(
    (name) => `-H "${name.replace(/[$\x60]/g, '\\$&')}: ${readJson('EXTRA_HEADERS', `/${name}`)}" `,
  );
  return options.length === 0 ? [] : [': "${EXTRA_HEADERS:?}"', `curl() { command curl ${options.join('')}"$@"; }`];
}

/** The keys that a call was sent with. */
const sentKeys = ({ key, queryKey }: Call): ApiKey[] =>
  [key, queryKey ?? null].filter((sent): sent is ApiKey => sent !== null && sent.secret !== '');

const loop = (line: string, times: number): string =>
  `for CALL in $(seq ${times}); do\n  ${line.replaceAll('\\\n', '\\\n  ')}\ndone`;

/**
 * A call of curl with variables in place of keys, made-up secrets and the ids of the run's records. `sent`: the keys
 * that it is sent with.
 */
function curlOf(
  wire: WireRequest,
  sent: readonly Placeholder[],
  remade: readonly Remade[],
  parts: Pick<ScriptParts, 'settings' | 'clean'>,
  flags?: string,
): string {
  const secrets = madeUpSecrets(wire.body, parts.clean).map(({ secret }) => ({ secret, expansion: '$SECRET' }));
  const ids = remade.map(({ variable }) => ({ secret: markerOf(variable), expansion: `\${${variable}:?}` }));
  let { url, body } = wire;
  for (const { collection, id, variable } of remade) {
    body = body?.replaceAll(JSON.stringify(id), JSON.stringify(markerOf(variable))) ?? null;
    url = url.replace(`${collection}/${encoded(id)}`, `${collection}/${markerOf(variable)}`);
  }
  const extra = extraOf(parts);
  const headers = wire.headers.filter(([name]) => !extra.includes(name));
  return curl({ ...wire, url, body, headers }, [...sent, ...secrets, ...ids], flags);
}

/** What stands for the id of a record until curl's line is written. */
const markerOf = (variable: string): string => `<${variable}>`;

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

/** Lines that set variables for the secrets that the run made up for the body of a request. */
const secretLines = ({ body }: WireRequest, { clean }: Pick<ScriptParts, 'clean'>): string[] =>
  madeUpSecrets(body, clean).map(
    ({ prefix }) => `SECRET=${prefix}$(node -p 'require("crypto").randomBytes(24).toString("base64")')`,
  );

/**
 * Lines that make a record as the run made it, with its id in the variable, and those that rotate and delete it. `key`:
 * how the run made the key that it is; the key itself is in `$KEY` then.
 */
function linesOf(
  { call, request, place, maker, id, variable }: Remade,
  remade: readonly Remade[],
  parts: Pick<ScriptParts, 'settings' | 'clean'>,
  key?: KeyCreation,
) {
  const sent = sentKeys(call).map(({ secret }) => ({ secret, expansion: expansionOf(maker, false) }));
  const headers = request.headers.filter(([name]) => !/^content-type$/i.test(name));
  const onRecord = (method: string, below: string, flags: string): string => {
    const url = `${request.url.replace(/\?.*$/, '')}/${encoded(id)}${below}`;
    return curlOf({ method, url, headers, body: null }, sent, remade, parts, flags);
  };
  const rotate = (flags: string): string => onRecord('POST', '/rotate', flags);
  const rotation = [`MADE=$(${rotate('-sS')})`, `KEY=${readJson('MADE', key?.rotatedAt ?? '')}`];
  return {
    make: [
      ...secretLines(request, parts),
      `MADE=$(${curlOf(request, sent, remade, parts, '-sS')})`,
      `${variable}=${readJson('MADE', place, id)}`,
      ...(key === undefined ? [] : [`KEY=${readJson('MADE', key.secretAt)}`]),
      ...(key?.rotatedAt === undefined ? [] : rotation),
    ],
    rotate,
    remove: onRecord('DELETE', '', quietly),
  };
}

/**
 * Shell text that reads the value at a pointer in the JSON of a variable, with Node: an expression of JavaScript in
 * plain ASCII that can go into single quotes. `ownValue`: the value in the run; around numbers as long as it, which
 * JSON.parse would round, quotes are put. Without the `--`, Node would take an answer that begins with a dash for an
 * option, and `--import` runs code.
 */
function readJson(variable: string, pointer: string, ownValue = ''): string {
  const quoted = String.raw`process.argv[1].replace(/(?<=[:,[]\s*)\d{16,}/g, "\"$&\"")`;
  const text = /^\d{16,}$/.test(ownValue) ? quoted : 'process.argv[1]';
  const tokens = pointer.split('/').slice(1);
  const place = tokens.map((one) => (/^[A-Za-z_$][\w$]*$/.test(one) ? `.${one}` : `[${JSON.stringify(one)}]`)).join('');
  const ascii = place.replace(/['\x7f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `$(node -p 'JSON.parse(${text})${ascii}' -- "$${variable}")`;
}
