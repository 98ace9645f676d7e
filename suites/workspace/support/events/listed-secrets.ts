import { type SecretCandidate, secretCandidates } from '../../../../webhooks/signature/secret-candidates.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { rawRows } from '../../../reading/rows.ts';
import { nounOf } from '../../../records/collections.ts';
import { findCreated, type ListSearch } from '../../../records/list-search.ts';
import type { Session } from '../../../session/session.ts';
import { pathOf } from '../kinds.ts';
import type { Created } from '../records/create.ts';
import { listedPair } from '../records/listed-pair.ts';
import type { Registration } from './registrations.ts';

/** What the list shows as the secret of a webhook whose registration showed none; empty where it shows none. */
export async function listedSecrets(
  session: Session,
  { attempt }: Pick<Registration, 'attempt'>,
): Promise<readonly SecretCandidate[]> {
  const { id } = attempt;
  const search = id === undefined ? null : await resultOrNull(findWebhook(session, { ...attempt, id }));
  const row = search === null ? undefined : rawRows(search.last, nounOf(pathOf('webhooks')))[search.place];
  return secretCandidates(row, [], attempt.body).filter(({ named }) => named);
}

/** Where the list showed a webhook. The second one was looked for before it was removed. */
export async function findWebhook(session: Session, webhook: Created): Promise<ListSearch> {
  const pair = await resultOrNull(listedPair(session, 'webhooks'));
  return pair?.second?.record.id === webhook.id ? pair.second.search : findCreated(session, webhook);
}
