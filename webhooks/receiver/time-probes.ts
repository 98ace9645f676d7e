import { type TimeUnit, writeTime } from '../signature/read/times.ts';
import type { Scheme, Source } from '../signature/scheme.ts';
import {
  either,
  type Outgoing,
  type Probe,
  type ProbeKit,
  reject,
  signedDraft,
  signedOtherwise,
  withHeader,
} from './probe.ts';

const hour = 3_600_000;

/** The place and unit of a scheme's signed timestamp; undefined if it has none in a header. */
function signedTime({ timestamp }: Scheme): { source: Source & { in: 'header' }; unit: TimeUnit } | undefined {
  const { source, unit } = timestamp?.covered === true ? timestamp : {};
  return source?.in === 'header' && unit !== undefined ? { source, unit } : undefined;
}

/** Whether the content holds the time in another unit than the one sent, in which a word cannot be written. */
const isRespelled = ({ content }: Scheme): boolean =>
  content.kind === 'parts' && content.parts.some((part) => part.kind === 'value' && part.as !== undefined);

/** A valid delivery whose timestamp is replaced after signing. If `change` returns null, it is removed. */
function withTimestamp(kit: ProbeKit, change: (at: number, unit: TimeUnit) => string | null): Outgoing | undefined {
  const signed = signedTime(kit.scheme);
  if (signed === undefined) {
    return undefined;
  }
  const { source, unit } = signed;
  const label = source.label?.replace('{signature}', '');
  return withHeader(kit, source.name, (value, { at }) => {
    const text = writeTime(at, unit);
    const changed = change(at, unit);
    if (changed !== null) {
      return value.replace(text, () => changed);
    }
    return label === undefined ? undefined : value.replace(`${label}${text}`, '').replace(/^[\s,;&]+/, '');
  });
}

const movedBy = (kit: ProbeKit, ms: number): Outgoing | undefined =>
  signedTime(kit.scheme) && signedDraft(kit, ({ at }) => ({ at: at + ms }));

/** The header with the id that is part of the signed content. */
function idHeader({ content }: Scheme): string | undefined {
  const parts = content.kind === 'parts' ? content.parts : [];
  const source = parts.filter((part) => part.kind === 'value').find(({ role }) => role === 'id')?.source;
  return source?.in === 'header' && source.label === null ? source.name : undefined;
}

/** Probes of timestamp and id. */
export const timeProbes: readonly Probe[] = [
  reject('stale', 'Timestamp is one hour old, validly signed', (kit) => movedBy(kit, -hour)),
  either('future', 'Timestamp is one hour ahead, validly signed', (kit) => movedBy(kit, hour)),
  reject('timestamp-edited', 'Timestamp is changed by two seconds after signing', (kit) =>
    withTimestamp(kit, (at, unit) => writeTime(at - 2_000, unit)),
  ),
  reject('timestamp-word', 'Timestamp is replaced by a word after signing', (kit) =>
    withTimestamp(kit, () => 'yesterday'),
  ),
  reject('no-timestamp', 'Timestamp is missing', (kit) => withTimestamp(kit, () => null)),
  either('timestamp-word-signed', 'Validly signed timestamp that is a word', (kit) =>
    signedTime(kit.scheme) === undefined || isRespelled(kit.scheme)
      ? undefined
      : signedOtherwise(kit, { timestampText: 'yesterday' }),
  ),
  either('other-unit', 'Timestamp is in milliseconds instead of seconds, or vice versa, validly signed', (kit) => {
    const unit = signedTime(kit.scheme)?.unit;
    return unit !== 's' && unit !== 'ms'
      ? undefined
      : signedOtherwise(kit, { timestampText: writeTime(kit.draft().at, unit === 's' ? 'ms' : 's') });
  }),
  reject('other-id', 'Id is changed after signing', (kit) => {
    const name = idHeader(kit.scheme);
    return name === undefined ? undefined : withHeader(kit, name, (value) => `${value}x`);
  }),
];
