import { playCalls, playDay, playMinutes } from './developer-script.ts';
import { transcriptOf, type Exchange, type Variation, type Wire } from './developer-wire.ts';

/** Variations that show only once a day's budget is nearly used up: whose, and how many calls a minute and a day that takes. */
const days: Readonly<Record<string, readonly [Parameters<typeof playDay>[0], number, number]>> = {
  'limits-sandbox-a-tenth-a-day': ['SANDBOX', 120, 5_000],
  'limits-one-more-a-day': ['LIVE', 60, 10_000],
  'limits-no-day': ['LIVE', 60, 10_000],
  'limits-enterprise-day': ['ENTERPRISE', 1_000, 50_000],
  'developer-shown-window=minute': ['LIVE', 60, 10_000],
  'developer-shown-window=closer': ['LIVE', 60, 10_000],
};

interface Played {
  /** Whether a client can tell the deployment from the plain one. */
  readonly differs: boolean;
  /** What was said meanwhile, by each deployment that was played against; of a day its end. */
  readonly runs: readonly (readonly Exchange[])[];
}

const endOf = ({ exchanges }: Wire): readonly Exchange[] => exchanges.slice(-100);

/** Plays the script against deployments, first the part that shows most, and the longer ones where it shows nothing. */
export function createPlay(): (name: string, variation: Variation) => Promise<Played> {
  const plain = new Map<string, Promise<string>>();
  const once = (name: string, make: () => Promise<string>): Promise<string> => {
    const known = plain.get(name) ?? make();
    plain.set(name, known);
    return known;
  };
  const day = async (name: string, variation: Variation): Promise<Played> => {
    const [kind, minute, count] = days[name] ?? ['SANDBOX', 120, 50_000];
    const exchanges = endOf(await playDay(kind, minute, count, variation));
    const usual = await once(kind, async () => transcriptOf(endOf(await playDay(kind, minute, count))));
    return { differs: transcriptOf(exchanges) !== usual, runs: [exchanges] };
  };
  return async (name, variation) => {
    if (Object.hasOwn(days, name)) return day(name, variation);
    const calls = await playCalls(variation);
    const plainCalls = await once('calls', async () => transcriptOf((await playCalls()).exchanges));
    if (transcriptOf(calls.exchanges) !== plainCalls) return { differs: true, runs: [calls.exchanges] };
    const minutes = await playMinutes(variation);
    const plainMinutes = await once('minutes', async () => transcriptOf((await playMinutes()).exchanges));
    return { differs: transcriptOf(minutes.exchanges) !== plainMinutes, runs: [calls.exchanges, minutes.exchanges] };
  };
}
