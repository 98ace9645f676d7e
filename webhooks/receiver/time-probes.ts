import { writeTime } from '../signature/read/times.ts';
import type { Scheme, Source } from '../signature/scheme.ts';
import type { Outgoing, Probe, ProbeKit } from './probe.ts';
import { changeHeader, signedDraft } from './probe.ts';

const hour = 3_600_000;

/** The signed timestamp of a scheme, where it has one in a header. */
function signedTime(scheme: Scheme): (Source & { in: 'header' }) | undefined {
  const source = scheme.timestamp?.covered === true ? scheme.timestamp.source : undefined;
  return source?.in === 'header' ? source : undefined;
}

/** Whether the content holds the time in another spelling: a word has none. */
const isRespelled = ({ content }: Scheme): boolean =>
  content.kind === 'parts' && content.parts.some((part) => part.kind === 'value' && part.as !== undefined);

/** A valid delivery whose timestamp is replaced after signing; null removes it. */
function withTimestamp(kit: ProbeKit, change: (at: number) => string | null): Outgoing | undefined {
  const source = signedTime(kit.scheme);
  const unit = kit.scheme.timestamp?.unit;
  if (source === undefined || unit === undefined) {
    return undefined;
  }
  const draft = kit.draft();
  const text = writeTime(draft.at, unit);
  const changed = change(draft.at);
  const label = source.label?.replace('{signature}', '');
  const headers = changeHeader(kit.sign(draft).headers, source.name, (value) => {
    if (changed !== null) {
      return value.replace(text, () => changed);
    }
    return label === undefined ? undefined : value.replace(`${label}${text}`, '').replace(/^[\s,;&]+/, '');
  });
  return { method: draft.method, body: draft.body, headers };
}

const movedBy = (kit: ProbeKit, ms: number): Outgoing | undefined =>
  signedTime(kit.scheme) === undefined ? undefined : signedDraft(kit, (draft) => ({ ...draft, at: draft.at + ms }));

/** The header that holds the id of the signed content. */
function idHeader({ content }: Scheme): string | undefined {
  const part =
    content.kind === 'parts' ? content.parts.find((one) => one.kind === 'value' && one.role === 'id') : undefined;
  return part?.kind === 'value' && part.source.in === 'header' && part.source.label === null
    ? part.source.name
    : undefined;
}

/** Changes to timestamp and id. */
export const timeProbes: readonly Probe[] = [
  {
    id: 'stale',
    title: 'Timestamp is one hour old, validly signed',
    expects: 'reject',
    build: (kit) => movedBy(kit, -hour),
  },
  {
    id: 'future',
    title: 'Timestamp is one hour ahead, validly signed',
    expects: 'either',
    build: (kit) => movedBy(kit, hour),
  },
  {
    id: 'timestamp-edited',
    title: 'Timestamp is changed by two seconds after signing',
    expects: 'reject',
    build: (kit) => withTimestamp(kit, (at) => writeTime(at - 2_000, kit.scheme.timestamp?.unit ?? 's')),
  },
  {
    id: 'timestamp-word',
    title: 'Timestamp is replaced by a word after signing',
    expects: 'reject',
    build: (kit) => withTimestamp(kit, () => 'yesterday'),
  },
  {
    id: 'no-timestamp',
    title: 'Timestamp is missing',
    expects: 'reject',
    build: (kit) => withTimestamp(kit, () => null),
  },
  {
    id: 'timestamp-word-signed',
    title: 'Timestamp is a word, validly signed',
    expects: 'either',
    build: (kit) =>
      signedTime(kit.scheme) === undefined || isRespelled(kit.scheme)
        ? undefined
        : signedDraft(kit, (draft) => draft, { timestampText: 'yesterday' }),
  },
  {
    id: 'other-unit',
    title: 'Timestamp is in milliseconds instead of seconds, or vice versa, validly signed',
    expects: 'either',
    build: (kit) => {
      const unit = kit.scheme.timestamp?.unit;
      if (signedTime(kit.scheme) === undefined || (unit !== 's' && unit !== 'ms')) {
        return undefined;
      }
      return signedDraft(kit, (draft) => draft, {
        timestampText: writeTime(kit.draft().at, unit === 's' ? 'ms' : 's'),
      });
    },
  },
  {
    id: 'other-id',
    title: 'Id is changed after signing',
    expects: 'reject',
    build: (kit) => {
      const name = idHeader(kit.scheme);
      if (name === undefined) {
        return undefined;
      }
      const draft = kit.draft();
      return {
        method: draft.method,
        body: draft.body,
        headers: changeHeader(kit.sign(draft).headers, name, (value) => `${value}x`),
      };
    },
  },
];
