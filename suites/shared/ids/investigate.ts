import { resultOrNull } from '../../engine/parts.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { findConfirmedRecord } from './confirmed-record.ts';
import { findRow, onAllPages } from './listed.ts';
import type { KnownRecord } from './new-record.ts';
import { readByIds } from './reads.ts';
import { type Asked, decide } from './rules.ts';
import { type Sources, without } from './sources.ts';
import { weigh } from './weigh.ts';

/** What an investigation found. */
export interface Finding {
  readonly ids: readonly string[];
  /** The confirmed record that was asked for; null: none was, or there is none. */
  readonly confirmedRecord: KnownRecord | null;
}

/** Gathers evidence, step by step, until a rule decides. */
export async function investigate(session: Session, start: Sources, key: ApiKey): Promise<Finding> {
  let sources = start;
  for (;;) {
    const decision = decide(weigh(sources));
    if ('ids' in decision) {
      return { ids: decision.ids, confirmedRecord: sources.confirmedRecord };
    }
    // The settings may forbid a step, or an accident prevent it: then the evidence has to do without it.
    sources = (await resultOrNull(gather(session, sources, key, decision))) ?? without(sources, decision.ask);
  }
}

async function gather(session: Session, sources: Sources, key: ApiKey, { ask, about }: Asked): Promise<Sources> {
  const { record, listed } = sources;
  const rest = without(sources, ask);
  if (ask === 'reads') {
    return { ...sources, reads: await readByIds(session, sources, key, about) };
  }
  if (record === null) {
    return rest;
  }
  switch (ask) {
    case 'list':
      return { ...rest, listed: await findRow(session, record, sources) };
    case 'confirmed record':
      return { ...rest, confirmedRecord: await findConfirmedRecord(session, record) };
    case 'all pages':
      return { ...rest, listed: await onAllPages(session, record, listed) };
  }
}
