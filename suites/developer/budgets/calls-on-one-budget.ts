import { endpointOf } from '../../../contract/endpoints.ts';
import { keyBody } from '../../../fixtures/developer-bodies.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { isPlainRead } from '../../records/reads.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { createCall, deleteCall, type OtherCall, plainCall } from '../../shared/limits/other-calls.ts';
import { remarked } from '../calls/bodies.ts';
import { twinOf } from '../calls/twins.ts';
import { deleterOf, keyName } from '../keys/creation.ts';
import { keysPath } from '../keys/run-key.ts';
import { secondCountingKey } from './budget-sharing.ts';

/** Writes that leave no record behind. */
const tracelessWrites = [
  'POST /api/v1/inbox/draft',
  'POST /api/v1/inbox/categorize',
  'POST /api/v1/content/generate',
  'POST /api/v1/content/review',
] as const;

/**
 * Calls besides `call` that draw on the same budget of a key, whichever endpoint is called and however the key is sent:
 * every plain read, one with a parameter, one by the key's `id`, one in the other mode and, where WRITES allows them,
 * writes that change only what the run made.
 */
export async function otherCalls(
  session: Session,
  { key, id }: { readonly key: ApiKey; readonly id?: string },
  call: Call,
): Promise<readonly OtherCall[]> {
  const reads = session.api.endpoints.filter((endpoint) => isPlainRead(endpoint) && endpoint.id !== call.endpoint?.id);
  const usage = endpointOf(`GET ${keysPath}/:id/usage`);
  const isInHeader = (call.mode ?? (await session.api.usualMode(session))) === 'header';
  return [
    ...reads.map((endpoint) => plainCall(callOf(endpoint, key))),
    plainCall(callOf(endpointOf('GET /api/v1/ads/campaigns'), key, { query: { status: 'ENABLED' } })),
    ...(id === undefined ? [] : [plainCall(callOf(usage, key, { id }))]),
    plainCall({ ...call, mode: isInHeader ? 'query' : 'header' }, isInHeader ? ' in query mode' : ' in header mode'),
    ...(mayWriteWith(session, key) ? await writes(session, key) : []),
  ];
}

function mayWriteWith({ settings: { WRITES } }: Session, { environment }: ApiKey): boolean {
  return WRITES === 'all' || (WRITES === 'sandbox' && environment === 'sandbox');
}

async function writes(session: Session, key: ApiKey): Promise<readonly OtherCall[]> {
  const twins = await Promise.all(
    tracelessWrites.map(async (endpoint) => ({ endpoint, twin: await resultOrNull(twinOf(session, endpoint)) })),
  );
  // No step needs it any more when drives begin.
  const spare = key.environment === 'sandbox' ? await resultOrNull(secondCountingKey(session)) : null;
  return [
    ...twins.flatMap(({ endpoint, twin }) =>
      twin?.answer.accepted === true
        ? [plainCall(callOf(endpointOf(endpoint), key, { body: remarked(session, twin.body, key.label) }))]
        : [],
    ),
    createCall(session, keysPath, async () => {
      const tag = keyName(session, 'beyond the limit');
      const environment = key.environment === 'sandbox' ? 'sandbox' : 'live';
      return { tag, body: keyBody(tag, environment, ['ads:read']), key, maker: deleterOf(session, key) };
    }),
    ...(spare === null ? [] : [deleteCall(session, key, spare.record)]),
  ];
}
