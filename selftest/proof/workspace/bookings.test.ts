import { describe, expect, test } from 'vitest';
import { type Intercepted, type Ran, refusal, resultOf, runWorkspace } from './run.ts';

const bodyOf = ({ text }: Intercepted): Record<string, unknown> => {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** A deployment that refuses bookings with the given messages. */
const refusing =
  (why: (body: Record<string, unknown>) => string | null) =>
  (call: Intercepted): Response | null => {
    const body = call.call === 'POST /v1/bookings' ? bodyOf(call) : {};
    const message = 'start_time' in body ? why(body) : null;
    return message === null ? null : refusal(message);
  };

const startOf = ({ start_time }: Record<string, unknown>): Date => new Date(String(start_time));

const ids = ['bookings.create', 'bookings.list', 'bookings.cancel', 'events.booking-created'];
const verdicts = (ran: Ran): string[] => ids.map((name) => resultOf(ran, name).verdict);

describe('the hours of an unusual calendar are learnt', () => {
  test.for([
    ['open late in the UTC day', (start: Date) => start.getUTCHours() >= 17, 'Outside business hours'],
    [
      'open for six days',
      (start: Date) => start.getTime() < Date.UTC(2026, 2, 20),
      'Bookings can be made at most 6 days ahead',
    ],
    [
      'a month of notice needed',
      (start: Date) => start.getTime() > Date.UTC(2026, 3, 14),
      'Bookings need a notice of 30 days',
    ],
  ] as const)('%s', async ([, suits, message]) => {
    const intercept = refusing((body) => (suits(startOf(body)) ? null : message));
    expect(verdicts(await runWorkspace({ intercept }))).toEqual(['pass', 'pass', 'pass', 'pass']);
  });
});

test('if nothing fits, the last refusal is reported, with an entry for BODIES', async () => {
  const intercept = ({ call }: Intercepted): Response | null =>
    call === 'POST /v1/bookings' ? refusal('The calendar of this workspace is not connected') : null;
  const ran = await runWorkspace({ intercept, ids: ['workspace.bookings.create'] });
  const { verdict, findings } = resultOf(ran, 'bookings.create');
  expect(verdict).toBe('inconclusive');
  expect(findings[0]?.message).toContain('is not connected');
  expect(findings[0]?.advice).toContain('"scheduled_at":"{{slot_start}}"');
});

test('a lead that needs an owner leaves it and bookings undecided: no id is invented', async () => {
  const intercept = (call: Intercepted): Response | null => {
    const isMissing = call.call === 'POST /v1/leads' && !('owner_id' in bodyOf(call));
    const isOfNobody = call.call === 'POST /v1/bookings' && !('lead_id' in bodyOf(call));
    return isMissing ? refusal('owner_id is required') : isOfNobody ? refusal('lead_id is required') : null;
  };
  const ran = await runWorkspace({ intercept });
  expect(resultOf(ran, 'leads.create').verdict).toBe('inconclusive');
  expect(resultOf(ran, 'bookings.create').verdict).toBe('inconclusive');
  expect(ran.results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  const sent = ran.evidence.exchanges.filter(({ endpoint }) => endpoint === 'POST /v1/leads');
  expect(sent.filter(({ request }) => String(request.body).includes('owner_id'))).toEqual([]);
});

test('if a lead may have one booking, each further booking gets its own lead', async () => {
  const booked = new Set<unknown>();
  const ran = await runWorkspace({
    intercept: (call) => {
      const body = call.call === 'POST /v1/bookings' ? bodyOf(call) : null;
      if (body === null || Object.keys(body).length === 0) {
        return null;
      }
      if (typeof body.lead_id !== 'string') {
        return refusal('lead_id is required');
      }
      if (booked.has(body.lead_id)) {
        return refusal('lead_id: this lead has a booking already', 409);
      }
      return null;
    },
    between: async (answer, call) => {
      if (call.call === 'POST /v1/bookings' && answer.status === 201) {
        booked.add(bodyOf(call).lead_id);
      }
      return answer;
    },
  });
  expect(verdicts(ran)).toEqual(['pass', 'pass', 'pass', 'pass']);
});

test('a body from BODIES is filled with times, a lead and an agent of the run', async () => {
  const bodies = {
    'POST /v1/bookings': {
      lead: '{{lead_id}}',
      agent: '{{agent_id}}',
      start_time: '{{slot_start}}',
      reminder: '{{slot_start:-90m}}',
      end_time: '{{slot_end}}',
      guest: { email: '{{email}}', phone: '{{phone}}' },
      title: 'Call {{run}}',
    },
  };
  const ran = await runWorkspace({ bodies });
  expect(verdicts(ran)).toEqual(['pass', 'pass', 'pass', 'pass']);
  const sent = ran.evidence.exchanges
    .filter(({ endpoint, response }) => endpoint === 'POST /v1/bookings' && response?.status === 201)
    .map(({ request }) => JSON.parse(String(request.body)) as Record<string, string>);
  expect(sent.length).toBeGreaterThan(2);
  expect(new Set(sent.map(({ start_time }) => start_time)).size).toBe(sent.length);
  for (const { lead, agent, start_time = '', reminder = '' } of sent) {
    expect([lead, agent]).toEqual([expect.stringMatching(/^lead_/), expect.stringMatching(/^agt_/)]);
    expect(Date.parse(start_time) - Date.parse(reminder)).toBe(90 * 60_000);
  }
});
