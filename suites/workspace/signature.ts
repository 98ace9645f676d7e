import { createTally, judged, type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import { describeScheme } from '../../webhooks/signature/describe.ts';
import type { Discovery } from '../../webhooks/signature/discovery.ts';
import { snippet } from '../../webhooks/signature/snippet.ts';
import { sourceKey } from '../../webhooks/signature/source.ts';
import type { Checks } from '../engine/engine.ts';
import { noDelivery } from './experiments.ts';
import { hookNames } from './hooks.ts';
import type { WorkspaceSession } from './session.ts';
import { type Signing, signings } from './signings.ts';

/** The clause that keeps whose secret signs, and how, from being known: events came to too few webhooks, or were not signed. */
const blamed = (reached: number, needed: number): string =>
  reached < needed ? 'workspace.events.booking-created' : 'workspace.webhooks.signature';

const wanted = "an HMAC-SHA256 with the webhook's secret over content that includes the payload";

/** What is wrong with the deliveries of one webhook; null where nothing is. Throws Inconclusive where nobody could tell. */
function troubleOf({ hook, discovery, certain }: Signing): Finding | null {
  const at = `Deliveries to the ${hook.name}`;
  const notes = discovery.notes.length === 0 ? {} : { cause: discovery.notes.join('; ') };
  switch (discovery.kind) {
    case 'verified':
      return null;
    case 'unsigned':
      return {
        message: `${at} are not signed: no header or field has the size of a signature`,
        expected: wanted,
        actual: 'no signature',
        ...notes,
      };
    case 'other-algorithm':
      return {
        message: `${at} are signed with ${discovery.algorithm}, not HMAC-SHA256`,
        expected: wanted,
        actual: discovery.algorithm,
        place: sourceKey(discovery.token),
        ...notes,
      };
    case 're-serialised':
      return {
        message: `${at} are signed over another text than the bytes sent (${discovery.form}): receivers that verify the raw body reject them`,
        expected: wanted,
        actual: describeScheme(discovery.scheme),
        place: sourceKey(discovery.scheme.signature.source),
        cause: 'The payload is serialised twice, once to be signed and once to be sent',
      };
    case 'body-not-covered':
      return {
        message: `${at} carry a signature that does not cover the body: anybody can change it on its way`,
        expected: wanted,
        actual: describeScheme(discovery.scheme),
        place: sourceKey(discovery.scheme.signature.source),
        ...notes,
      };
    case 'unknown-content':
      throw new Inconclusive(unknownContent(at, discovery, certain));
    case 'inconsistent':
      return inconsistent(at, discovery);
  }
}

function unknownContent(
  at: string,
  { tokens, tried, notes }: Extract<Discovery, { kind: 'unknown-content' }>,
  certain: boolean,
): Finding {
  const places = tokens.map(({ source, bytes }) => `${sourceKey(source)} (${bytes} bytes)`).join(', ');
  const how = certain
    ? "name the scheme's content to the suite's authors, or look whether another secret signs"
    : 'set WEBHOOK_SECRET to the signing secret as the deployment shows it: registration neither took ours for certain nor showed another';
  return {
    message: `${at} carry what may be a signature, and its content is not known: ${places}`,
    expected: wanted,
    actual: `${tried.contents} contents under ${tried.keys} forms of the secret were tried${tried.complete ? '' : ', and a bound ended the search'}`,
    cause: [how, ...notes].join('; '),
  };
}

/** A delivery under another webhook's secret is the business of signature-secret alone. */
function inconsistent(at: string, { odd, scheme }: Extract<Discovery, { kind: 'inconsistent' }>): Finding | null {
  const own = odd.filter(({ difference }) => difference !== 'other-secret');
  return own.length === 0
    ? null
    : {
        message: `${at} are not all signed alike: ${own
          .slice(0, 5)
          .map(({ message }) => message)
          .join('; ')}`,
        expected: `${wanted}, on every delivery`,
        actual: `${own.length} differ from: ${describeScheme(scheme)}`,
        place: sourceKey(scheme.signature.source),
      };
}

async function judgeSignature(session: WorkspaceSession): Promise<Outcome> {
  const all = await signings(session);
  if (all.length === 0) {
    throw noDelivery();
  }
  const tally = createTally();
  const open: Inconclusive[] = [];
  for (const signing of all) {
    try {
      tally.judge(troubleOf(signing));
    } catch (error) {
      if (!(error instanceof Inconclusive)) {
        throw error;
      }
      open.push(error);
    }
  }
  const outcome = tally.outcome();
  // One webhook that nobody can tell about leaves the clause open: it is about every delivery.
  if (outcome.failures.length === 0 && open.length > 0) {
    throw new Inconclusive(...open.flatMap(({ findings }) => findings));
  }
  return outcome;
}

/** Those with different secrets that ask for the same events. */
const pair: readonly string[] = [hookNames.first, hookNames.second];

async function judgeOwnSecret(session: WorkspaceSession): Promise<Outcome> {
  const all = (await signings(session)).filter(({ hook }) => pair.includes(hook.name));
  const borrowed = all.flatMap(({ hook, discovery }) =>
    discovery.kind !== 'inconsistent'
      ? []
      : discovery.odd
          .filter(({ difference }) => difference === 'other-secret')
          .map(({ message }) => `${hook.name}: ${message}`),
  );
  if (borrowed.length > 0) {
    return judged({
      message: `Deliveries are signed with another webhook's secret: ${borrowed.slice(0, 5).join('; ')}`,
      expected: "each webhook's own secret",
      actual: "another webhook's",
    });
  }
  // Whatever else is wrong with a signature: an HMAC that this secret makes is made with this secret.
  const told = all.filter(({ discovery }) => 'scheme' in discovery);
  if (told.length < 2) {
    throw new Inconclusive({
      message: `Whose secret signs cannot be told: how deliveries are signed is known of ${told.length} webhook(s)`,
      blames: blamed(all.length, 2),
    });
  }
  if (told.every(({ secret }) => secret === told[0]?.secret)) {
    throw new Inconclusive({
      message:
        'Both webhooks are signed with one secret, and the deployment took none of ours: nothing tells whose it is',
    });
  }
  return judged(null);
}

async function observeScheme(session: WorkspaceSession): Promise<Outcome> {
  const all = await signings(session);
  const found =
    all.find(({ discovery }) => discovery.kind === 'verified') ?? all.find(({ discovery }) => 'scheme' in discovery);
  if (found === undefined || !('scheme' in found.discovery)) {
    throw new Inconclusive({
      message: `No scheme was found by which deliveries are signed: they came to ${all.length} webhook(s)`,
      blames: blamed(all.length, 1),
    });
  }
  const { discovery } = found;
  return observed({
    says: describeScheme(discovery.scheme),
    scheme: discovery.scheme,
    notes: discovery.notes,
    found: discovery.kind,
    ...(discovery.kind === 'verified'
      ? { 'further signatures': discovery.others.map(({ signature }) => sourceKey(signature.source)) }
      : {}),
    node: snippet(discovery.scheme, 'node'),
    python: snippet(discovery.scheme, 'python'),
  });
}

/** How deliveries are signed. */
export const signature: Checks<WorkspaceSession> = {
  'workspace.webhooks.signature': judgeSignature,
  'workspace.webhooks.signature-secret': judgeOwnSecret,
  'workspace.webhooks.scheme': observeScheme,
};
