import { isUtf8 } from 'node:buffer';
import { CannotRun, messageOf, stackOf } from '../../common/cannot-run.ts';
import { systemClock } from '../../common/clock.ts';
import { counted } from '../../common/words.ts';
import { redactedResults } from '../../results/redact-run.ts';
import { type ClauseResult, type ReceivedDelivery, resultOf } from '../../results/verdict.ts';
import { type Settings, shownSettings } from '../../settings/settings.ts';
import { urlSettings } from '../../settings/target.ts';
import type { Suite } from '../engine/check.ts';
import type { OnResult } from '../engine/engine.ts';
import { memoryLedger } from '../session/ledger/ledger.ts';
import { ledgerName, openLedger } from '../session/ledger/ledger-file.ts';
import type { Session } from '../session/session.ts';
import { socketTransport } from '../session/transport/undici-transport.ts';
import { foreignLimitNotes, refusedTextNotes } from '../shared/every-response.ts';
import { preflight } from '../shared/preflight.ts';
import { findGone, withoutUnanswered } from './gone.ts';
import { cleanUpMs, createHalt, type Halt } from './halt.ts';
import { leftBehind, leftInLiveData } from './left-behind.ts';
import { type OpenEmbedded, type OpenSuite, openSuite, type Preparation, prepare } from './prepare.ts';

/** What the run of one API found, as plain data without secrets: reports are made of it. */
export type ApiRun = Omit<Awaited<ReturnType<Awaited<ReturnType<typeof openApiRun>>['run']>>, 'unusable'>;

/** How long a stopped run waits for its checks to end, ms. */
const noticeMs = 3_000;

/** Opens the run of these clauses of an API; sends nothing. Throws CannotRun where it cannot be made. */
export async function openApiRun(
  suite: Suite,
  clauses: readonly string[],
  given: Settings,
  openEmbedded: OpenEmbedded,
) {
  const prepared = await prepare(given, openEmbedded);
  try {
    return await openPrepared(suite, clauses, prepared);
  } catch (error) {
    await prepared.release();
    throw error;
  }
}

async function openPrepared(suite: Suite, clauses: readonly string[], prepared: Preparation) {
  const { settings, embedded, clock, seed, targets, wrap, release, ...told } = prepared;
  const target = targets.find((one) => one.api === suite.api.name);
  if (target === undefined) {
    throw new CannotRun(`Cannot judge the ${suite.api.name} API: ${urlSettings[suite.api.name]} is not set`);
  }
  const halt = createHalt();
  const sockets = socketTransport(settings.TIMEOUT_MS);
  // No later run has to find what is in a deployment that ends with this one.
  const file = embedded ? null : openLedger(ledgerName(target.api, new Date()), undefined, halt.stop);
  const ledger = file?.ledger ?? memoryLedger();
  if (settings.WRITES !== 'none') {
    file?.make();
  }
  if (halt.reason !== null) {
    throw new CannotRun(halt.reason);
  }
  const opened = await openSuite(suite, {
    ...told,
    origin: target.origin,
    settings,
    clauses,
    seed,
    ledger,
    clock: halt.clock(clock),
    transport: halt.transport(wrap(sockets.transport)),
  });
  const { session } = opened;

  const end = async (trouble: string | null, results: readonly ClauseResult[], unusable: unknown = null) => {
    const { cleaned, notes } = await cleanUp(opened, halt);
    const { redactor, evidence } = session;
    const left = [...leftBehind(ledger, cleaned), ...leftInLiveData(session.tag, session.book.calls)];
    file?.close();
    await sockets.close();
    await release();
    return {
      target,
      settings: shownSettings(settings),
      clockSpeed: settings.CLOCK_SPEED,
      budgets: session.book.budgets(),
      waits: session.book.waits(),
      /** Lines on refused texts, others' limits, and what was left behind: the reference goes with its run. */
      notes: [
        ...notes,
        ...refusedTextNotes(evidence.exchanges),
        ...foreignLimitNotes(evidence),
        ...(embedded ? [] : left),
      ],
      /** Why it did not get to its end, and what to do about it; null: it did. */
      trouble: halt.reason ?? trouble,
      /** The error where the target cannot be judged. That the run was stopped says nothing about it. */
      unusable,
      // Without the secrets that were learnt after they were recorded; reports are made of the text alone.
      exchanges: evidence.exchanges.map(({ curl: _, ...exchange }) =>
        redactor.cleanJson({ ...exchange, response: exchange.response && { ...exchange.response, json: undefined } }),
      ),
      deliveries: receivedBy(session),
      results: redactedResults(results, redactor),
    };
  };

  return {
    halt,
    /** How far it is, for those who wait: how many calls were sent, and the longest wait that goes on. */
    progress(): string {
      const [{ what, ms } = { what: '', ms: 0 }] = session.book.currentWaits().toSorted((a, b) => b.ms - a.ms);
      const waiting = ms >= 1_000 ? `, waiting ${Math.ceil(ms / 1_000)} s for ${what}` : '';
      return `${target.api}: ${counted(session.evidence.exchanges.length, 'request')}${waiting}`;
    },
    /** Checks that the target is the API, judges the clauses, cleans up and closes everything. Never throws. */
    async run(onResult: OnResult) {
      try {
        // The deployment that comes with the suite is there.
        if (!embedded) {
          // A run that the other API's target has stopped says what is wrong with its own all the same.
          await halt.exempt(() => Promise.race([preflight(session), afterStop(halt, noticeMs)]));
        }
      } catch (error) {
        const reason = error instanceof CannotRun ? error.message : `The suite itself broke: ${stackOf(error)}`;
        return end(reason, [], error);
      }
      const results = halt.reason === null ? await judgeAll(opened, halt, onResult) : [];
      const gone = halt.reason === null ? await findGone(session, target.setting) : null;
      return end(gone?.text ?? null, gone === null ? results : withoutUnanswered(gone, results));
    },
  };
}

const afterStop = ({ stopped }: Halt, ms: number): Promise<void> => stopped.then(() => systemClock.sleep(ms));

/**
 * Judges the clauses. Gives a result for each of them, whatever happens: where the suite breaks as a whole, the
 * undecided ones are `broken`; where a stopped run does not end by itself, they are `inconclusive`.
 */
async function judgeAll({ session, run }: OpenSuite, halt: Halt, onResult: OnResult): Promise<ClauseResult[]> {
  const decided = new Map<string, ClauseResult>();
  const decide: OnResult = (found) => {
    if (!decided.has(found.id)) {
      const isCutShort = halt.reason !== null && found.verdict === 'inconclusive';
      const result: ClauseResult = isCutShort ? { ...found, cutShort: true } : found;
      decided.set(result.id, result);
      onResult(result);
    }
  };
  const decideRest = (verdict: 'broken' | 'inconclusive', message: string): void => {
    for (const id of session.clauses) {
      decide(resultOf(id, verdict, [{ message: session.redactor.clean(message) }]));
    }
  };
  try {
    await Promise.race([run(decide), afterStop(halt, noticeMs)]);
    decideRest('inconclusive', `Stopped before it was decided: ${halt.reason}`);
  } catch (error) {
    decideRest('broken', `The suite itself broke: ${stackOf(error).slice(0, 2_000)}`);
  }
  return [...session.clauses].flatMap((id) => decided.get(id) ?? []);
}

/** Deletes what the run made, in bounded time where the run was stopped. `notes`: why records may have stayed. */
async function cleanUp(opened: OpenSuite, halt: Halt) {
  const failed = (note: string) => ({ cleaned: [], notes: [note] });
  const overdue = afterStop(halt, cleanUpMs).then(() => failed('Clean-up timed out'));
  const cleaned = halt
    .exempt(() => opened.close())
    .then(
      (all) => ({ cleaned: all, notes: [] }),
      (error: unknown) => failed(`Clean-up failed: ${opened.session.redactor.clean(messageOf(error))}`),
    );
  return Promise.race([cleaned, overdue]);
}

/** The webhook deliveries that a session received, redacted, as reports show them. */
function receivedBy({ inbox, redactor: { clean, cleanBody } }: Session): ReceivedDelivery[] {
  const deliveries = inbox.kind === 'inbox' ? inbox.deliveries : [];
  return deliveries.map(({ method, url, registeredUrl, headers, body, answered, receivedAt }) => {
    const isText = isUtf8(body);
    return {
      method: clean(method),
      // The sender may add a query, and a signature may be in it.
      url: clean(registeredUrl.replace(/\?.*$/, '') + (/\?.*$/.exec(url)?.[0] ?? '')),
      headers: headers.map(([name, value]) => [clean(name), clean(value)] as const),
      body: isText ? cleanBody(body.toString('utf8').replace(/^\ufeff/, '')).text : clean(body.toString('base64')),
      encoding: isText ? 'utf8' : 'base64',
      answered,
      receivedAt,
    };
  });
}
