import { createRedactor, type Redactor } from '../../../common/redact.ts';
import type { Failure } from '../../../common/transport-failure.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { HeaderLines } from '../../../results/exchange.ts';
import { developerApi } from '../../../suites/developer/api.ts';
import type { Answer } from '../../../suites/session/answer.ts';
import { type Call, callOf } from '../../../suites/session/call.ts';
import { createEvidence } from '../../../suites/session/evidence/evidence.ts';
import { createOwnRecords } from '../../../suites/session/evidence/own-records.ts';
import { type RecorderParts, recordAnswer } from '../../../suites/session/evidence/recorder.ts';
import { wireOf } from '../../../suites/session/transport/wire.ts';
import { workspaceApi } from '../../../suites/workspace/api.ts';

/** The answer: a status with a body, or no response. */
export type Came = Failure | { readonly status: number; readonly json?: unknown; readonly headers?: HeaderLines };

/** The recorder of answers, which all answers of a run share. */
export const fakeRecording = (learn?: Redactor['learn']): Omit<RecorderParts<never>, 'api'> => ({
  redactor: { ...createRedactor(), ...(learn && { learn }) },
  evidence: createEvidence(),
  perMinute: () => 60,
  settleMs: 0,
});

/** The answer to a documented call, recorded as by the client. */
export function fakeAnswer(
  came: Came,
  endpoint = 'GET /v1/agents',
  {
    call = callOf(endpointOf(endpoint), null, { id: 'some-id' }),
    recording = fakeRecording(),
  }: Partial<{ call: Call; recording: Omit<RecorderParts<never>, 'api'> }> = {},
): Answer {
  const api = endpoint.includes('/api/v1/') ? developerApi : workspaceApi;
  const body = 'status' in came && came.json !== undefined ? JSON.stringify(came.json) : '';
  return recordAnswer(
    { ...recording, api },
    {
      number: 1,
      call,
      request: wireOf(api, 'http://api.test', call),
      outcome: 'status' in came ? { status: came.status, headers: came.headers ?? [], body: Buffer.from(body) } : came,
      records: createOwnRecords([]),
      sentAt: 0,
      receivedAt: 1,
    },
  );
}

/** A success of the workspace API. */
export const accepted: Came = { status: 200, json: { id: 'a' } };

/** A refusal of the workspace API. */
export const refused = (status: number): Came => ({
  status,
  json: { error: { code: 'no', message: 'No', status } },
});

/** A connection that broke. */
export const broken: Came = { kind: 'closed', message: 'Connection is closed before the answer is complete' };
