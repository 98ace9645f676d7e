import { hasValue } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import type { Kind } from '../../fixtures/workspace-bodies.ts';
import { createTally, judged, type Outcome } from '../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../results/stop.ts';
import { cameOf, expectStatus, findingOn } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import { listing, nounOf, reading } from './endpoints.ts';
import { idIn, mentions } from './identity.ts';
import { firstPage, lookFor, rowsOf, type Sighting, untilShown } from './lists.ts';
import { type Attempt, bodyRefused, type Made, made, main, refusesBody, succeeded } from './records.ts';
import type { WorkspaceSession } from './session.ts';

/** A create gets 201 and a record with an id; a body that is refused decides nothing. */
export function judgeCreated(attempt: Attempt): Outcome {
  const { answer, kind } = attempt;
  const noun = nounOf(kind);
  if (refusesBody(answer)) {
    throw new Inconclusive(bodyRefused(answer, `POST /v1/${kind}`));
  }
  const tally = createTally();
  tally.judge(expectStatus(answer, 201, `Creating a ${noun} does not get 201`));
  if (succeeded(answer)) {
    tally.judge(
      idIn(answer.json, kind) !== undefined
        ? null
        : findingOn(answer, {
            message: `Created ${noun} has no id: the answer is ${show(answer.exchange.response?.json ?? answer.text, 200)}`,
            expected: `a ${noun} with an id`,
            place: 'body',
          }),
    );
  }
  return tally.outcome();
}

/** A list gets 200 and shows a created record; without writes, its first page is judged alone. */
export async function judgeListed(
  session: WorkspaceSession,
  kind: Kind,
  create: () => Promise<Attempt>,
): Promise<Outcome> {
  const tally = createTally();
  let record: Made;
  try {
    record = made(await create());
  } catch (error) {
    if (!(error instanceof Skipped)) {
      const page = await firstPage(session, kind);
      if (page.status === 200) {
        throw error;
      }
      tally.judge(notOk(page, kind));
      return tally.outcome();
    }
    tally.judge(notOk(await firstPage(session, kind), kind));
    tally.skip({ ...error.finding, message: `Whether a created ${nounOf(kind)} is listed: ${error.message}` });
    return tally.outcome();
  }
  const sighting = await untilShown(
    session,
    () => lookFor(session, kind, record),
    (one) => isShown(one, record),
  );
  tally.judge(notOk(sighting.answers[0], kind));
  if (sighting.answers[0].status === 200) {
    judgeSighting(tally, sighting, record);
  }
  return tally.outcome();
}

const notOk = (answer: Answer, kind: Kind): ReturnType<typeof expectStatus> =>
  expectStatus(answer, 200, `Listing ${kind} does not get 200`);

/** In a row, or, where no list can be told, anywhere: a map by id shows its records too. */
export const isShown = ({ found, shapeless, answers }: Sighting, { id, tag }: Made): boolean =>
  found !== undefined ||
  (shapeless &&
    answers.some(
      ({ json }) => hasValue(json, id) || mentions(json, tag) || JSON.stringify(json)?.includes(`"${id}":`),
    ));

function judgeSighting(tally: ReturnType<typeof createTally>, sighting: Sighting, record: Made): void {
  const noun = nounOf(record.kind);
  const { last } = sighting;
  const finding = findingOn(last, {
    message: `Created ${noun} is not listed: ${record.id} is on none of ${sighting.answers.length} page(s) of ${listing(record.kind).id}`,
    expected: `a ${noun} with the id ${record.id}`,
    actual: `${rowsOf(last, record.kind)?.length ?? 'no'} rows on the last page read`,
  });
  if (isShown(sighting, record)) {
    return;
  }
  if (sighting.complete) {
    tally.judge(finding);
  } else {
    throw new Inconclusive({
      ...finding,
      cause: 'The list goes on, and its answers do not show how to reach all of it',
    });
  }
}

/** A record to read: the run's own, or, where nothing may be written, the first that is listed. */
async function readable(
  session: WorkspaceSession,
  kind: 'agents' | 'leads',
): Promise<{ id: string; tag: string | null }> {
  try {
    const { id, tag } = made(await main(session, kind));
    return { id, tag };
  } catch (error) {
    if (!(error instanceof Skipped)) {
      throw error;
    }
    const id = idIn(rowsOf(await firstPage(session, kind), kind)?.[0], kind);
    if (id === undefined) {
      throw new Skipped(`${error.message} (and no ${nounOf(kind)} is listed that could be read)`, error.finding.needs);
    }
    return { id, tag: null };
  }
}

/** The detail view of a record, read once a run. */
export const details = (
  session: WorkspaceSession,
  kind: 'agents' | 'leads',
): Promise<{ id: string; tag: string | null; answer: Answer }> =>
  session.once(reading(kind).id, async () => {
    const record = await readable(session, kind);
    const read = (): Promise<Answer> => session.client.send(callOf(reading(kind), session.key, { id: record.id }));
    return { ...record, answer: await untilShown(session, read, ({ status }) => status !== 404) };
  });

/** A detail view gets 200 and the record that was asked for. */
export async function judgeRead(session: WorkspaceSession, kind: 'agents' | 'leads'): Promise<Outcome> {
  const { id, tag, answer } = await details(session, kind);
  const noun = nounOf(kind);
  const shown = idIn(answer.json, kind);
  // A view may show no id of its own, and those of others.
  const right = shown === id || (tag !== null && mentions(answer.json, tag));
  return judged(
    expectStatus(answer, 200, `Reading a ${noun} does not get 200`) ??
      (right
        ? null
        : findingOn(answer, {
            message: `Another ${noun} is read than asked for: ${shown ?? 'no id'} in place of ${id}`,
            expected: id,
            actual: shown ?? 'no id',
            place: 'body',
          })),
  );
}

/** Null where a record's removal succeeded. */
export const notRemoved = (answer: Answer, what: string): ReturnType<typeof findingOn> | null =>
  succeeded(answer)
    ? null
    : findingOn(answer, { message: `${what}: ${cameOf(answer)}`, expected: '200 or 201', actual: cameOf(answer) });
