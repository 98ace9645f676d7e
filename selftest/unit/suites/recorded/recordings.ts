export const path = 'https://api.example.com/api/v1/platform/me';

/** An entry of a recording: a call that got 200, with the given changes. */
export const call = (url: string, request: object, response: object): object => ({
  startedDateTime: '2026-03-14T08:00:00.000Z',
  time: 5,
  request: { method: 'GET', url, headers: [], ...request },
  response: { status: 200, headers: [], content: { text: '{}' }, ...response },
});

/** The text of a recording. */
export const harOf = (...entries: readonly unknown[]): string => JSON.stringify({ log: { entries } });

/** A recording that no origin is named for, with nothing beside it. */
export const source = { name: 'a.har', folder: '/nowhere', named: { given: [], settings: {} } };
