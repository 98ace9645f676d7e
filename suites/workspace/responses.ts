import { at, isObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { invalidApiKey, workspaceStatuses } from '../../contract/errors.ts';
import { limitHeaders } from '../../contract/limits.ts';
import { headerOf } from '../../results/exchange.ts';
import { observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/engine.ts';
import { type Answered, judgeAll } from '../engine/every-response.ts';
import { answered } from '../session/evidence.ts';
import { neverIssuedLabels } from './keys.ts';
import { succeeded } from './records.ts';
import type { WorkspaceSession } from './session.ts';

const isSuccess = ({ response }: Answered): boolean => succeeded(response);
const isFailure = ({ response: { status } }: Answered): boolean => status >= 400;
const isJson = ({ response: { json } }: Answered): boolean => json !== undefined;
const isDocumented = ({ purpose }: Answered): boolean => purpose !== 'off-document';
/** Has no body by its nature: success-status, or the clause of its call, deals with it. */
const isBodiless = ({ response: { status } }: Answered): boolean => status === 204 || Math.floor(status / 100) === 3;

/** Any `…/json` or `…+json` type labels JSON. */
const jsonType = /^[^;]*[/+]json\s*(;|$)/i;

function bodyTrouble({ response }: Answered): string | null {
  const type = headerOf(response.headers, 'content-type');
  if (response.text === '') {
    return 'empty';
  }
  if (response.json === undefined) {
    return `not JSON, labelled ${type ?? 'not at all'}`;
  }
  return type !== null && jsonType.test(type) ? null : `JSON labelled ${type ?? 'not at all'}`;
}

/** Failures whose body is a JSON object: each clause is judged on its own field of it. */
const failures = (session: WorkspaceSession): Answered[] =>
  answered(session.evidence)
    .filter(isFailure)
    .filter(({ response }) => isObject(response.json));

const fieldOf = ({ response }: Answered, name: string): unknown => at(response.json, `/error/${name}`);

/** The codes that came with each status. */
function codesByStatus(all: readonly Answered[]): Record<string, string[]> {
  const codes: Record<string, Set<string>> = {};
  for (const exchange of all) {
    const known = codes[exchange.response.status] ?? new Set();
    codes[exchange.response.status] = known.add(show(fieldOf(exchange, 'code'), 60));
  }
  return Object.fromEntries(
    Object.entries(codes).map(([status, seen]) => [status, [...seen].map((code) => code.replace(/^"|"$/g, '')).sort()]),
  );
}

/** Responses, error bodies and limit headers: judged on every response of the run. */
export const responses: Checks<WorkspaceSession> = {
  'workspace.responses.json': async ({ evidence }) =>
    judgeAll(
      answered(evidence).filter((one) => !isBodiless(one)),
      {
        expected: 'JSON, labelled as JSON',
        place: 'body',
        trouble: bodyTrouble,
      },
    ),

  'workspace.responses.success-status': async ({ evidence }) => {
    const successes = answered(evidence).filter(
      (one) => isSuccess(one) || (one.response.status === 304 && isDocumented(one)),
    );
    if (successes.length === 0) {
      throw new Inconclusive({ message: 'No call succeeded in this run', blames: 'workspace.auth.bearer' });
    }
    return judgeAll(successes, {
      expected: '200 or 201',
      place: 'status',
      trouble: ({ response: { status } }) => (status === 200 || status === 201 ? null : String(status)),
    });
  },

  'workspace.responses.status-known': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(isDocumented), {
      expected: `one of ${workspaceStatuses.join(', ')}`,
      place: 'status',
      trouble: ({ response: { status } }) => (workspaceStatuses.includes(status) ? null : String(status)),
    }),

  'workspace.errors.body': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(isFailure).filter(isJson), {
      expected: 'an object',
      place: '/error',
      trouble: ({ response: { json } }) => (isObject(at(json, '/error')) ? null : show(at(json, '/error'), 60)),
    }),

  'workspace.errors.code': async (session) =>
    judgeAll(failures(session), {
      expected: 'a string that is not empty',
      place: '/error/code',
      trouble: (one) =>
        typeof fieldOf(one, 'code') === 'string' && fieldOf(one, 'code') !== '' ? null : show(fieldOf(one, 'code'), 60),
    }),

  'workspace.errors.message': async (session) =>
    judgeAll(failures(session), {
      expected: 'a string',
      place: '/error/message',
      trouble: (one) => (typeof fieldOf(one, 'message') === 'string' ? null : show(fieldOf(one, 'message'), 60)),
    }),

  'workspace.errors.status': async (session) =>
    judgeAll(failures(session), {
      expected: 'an integer equal to the HTTP status',
      place: '/error/status',
      trouble: (one) =>
        fieldOf(one, 'status') === one.response.status
          ? null
          : `${show(fieldOf(one, 'status'), 60)} on ${one.response.status}`,
    }),

  'workspace.errors.invalid-api-key': async (session) => {
    const labels: readonly (string | null)[] = neverIssuedLabels;
    return judgeAll(
      failures(session).filter(({ keyLabel, response }) => response.status === 401 && labels.includes(keyLabel)),
      {
        expected: invalidApiKey,
        place: '/error/code',
        trouble: (one) => (fieldOf(one, 'code') === invalidApiKey ? null : show(fieldOf(one, 'code'), 60)),
      },
    );
  },

  'workspace.errors.codes': async (session) => {
    const seen = failures(session);
    if (seen.length === 0) {
      throw new Inconclusive({ message: 'No failure was met in this run' });
    }
    return observed(codesByStatus(seen));
  },

  'workspace.errors.no-server-error': async ({ evidence }) =>
    judgeAll(
      answered(evidence).filter(({ purpose }) => purpose === 'documented'),
      {
        expected: 'no 5xx on a documented, well-formed request',
        place: 'status',
        trouble: ({ response: { status } }) => (status < 500 ? null : String(status)),
      },
    ),

  'workspace.limits.headers': async ({ evidence }) =>
    judgeAll(answered(evidence), {
      expected: limitHeaders.join(', '),
      place: 'headers',
      trouble: ({ response }) => {
        const missing = limitHeaders.filter((name) => (headerOf(response.headers, name) ?? '').trim() === '');
        return missing.length === 0 ? null : `without ${missing.join(', ')}`;
      },
    }),
};
