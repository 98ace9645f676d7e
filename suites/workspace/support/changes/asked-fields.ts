import { isObject, walk } from '../../../../common/json.ts';
import { slotAt } from '../../../../fixtures/slots.ts';
import { type Body, plausibleValues } from '../../../../fixtures/workspace-bodies.ts';
import type { Answer } from '../../../session/answer.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import type { Session } from '../../../session/session.ts';
import { complaintOf } from '../../../shared/complaints/complaint.ts';
import type { Readable } from '../kinds.ts';
import type { Created } from '../records/create.ts';
import { type Change, changedText, plain, plainSuffix } from './change-candidates.ts';

/** What the refusal of a change asks for. */
interface Asked {
  /** The fields, which go into all later bodies. */
  readonly fields: Body;
  /** Changes of texts within those that no read shows: a deployment may ignore the rest of a body. */
  readonly changes: readonly Change[];
}

/**
 * The fields that a refusal asks for: with the values that the view shows, such as a version, or else with likely
 * values that hold the record's words, such as a configuration.
 */
export function askedFor(
  session: Session,
  { kind, record, sent, view }: { kind: Readable; record: Created; sent: unknown; view: unknown },
  refusal: Pick<Answer, 'json' | 'text'>,
): Asked {
  const sentNames = walk(sent).map(({ name }) => name);
  const names = walk(view).map(({ name }) => name);
  const { fields, certain } = complaintOf(refusal, sent, { shown: names });
  const isAboutSent = fields.some((name) => certain.has(name) && sentNames.includes(name));
  const asked = fields.filter((name) => !sentNames.includes(name) && (certain.has(name) || !isAboutSent));
  const shown = new Map(
    walk(view)
      .map(({ name, value }) => [name, value] as const)
      .reverse(),
  );
  const context = { seed: session.seed, tag: record.tag, number: 0, slot: slotAt(session.openedAt, 0) };
  const likely = asked.flatMap((name): readonly (readonly [string, unknown])[] => {
    const [value] = shown.has(name) ? [] : plausibleValues(name, kind, context);
    return value === undefined ? [] : [[name, value]];
  });
  const known = asked.flatMap((name) => (shown.has(name) ? [[name, shown.get(name)] as const] : []));
  return {
    fields: Object.fromEntries([...known, ...likely]),
    changes: likely.flatMap(([name, value]) => changeWithin(name, value, record.tag)),
  };
}

/** A change of the first text with the words in an object. */
function changeWithin(name: string, value: unknown, tag: string): readonly Change[] {
  const [field, text] = Object.entries(isObject(value) ? value : {}).find(([, one]) => mentions(one, tag)) ?? [];
  if (field === undefined || typeof text !== 'string') {
    return [];
  }
  const changed = plain(changedText(text, tag, plainSuffix));
  return [{ body: { [name]: { ...(value as Body), [field]: changed } }, values: [changed] }];
}
