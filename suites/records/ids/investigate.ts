import { resultOrNull } from '../../engine/parts.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { findRow, onAllPages } from './listed.ts';
import { readByIds } from './reads.ts';
import { type Asked, decide } from './rules.ts';
import { type Sources, without } from './sources.ts';
import { weigh } from './weigh.ts';

/** Gathers evidence, step by step, until a rule decides. */
export async function investigate(session: Session, start: Sources, key: ApiKey): Promise<readonly string[]> {
  let sources = start;
  for (;;) {
    const decision = decide(weigh(sources));
    if ('ids' in decision) {
      return decision.ids;
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
    case 'all pages':
      return { ...rest, listed: await onAllPages(session, record, listed) };
  }
}
