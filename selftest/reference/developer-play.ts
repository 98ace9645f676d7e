import { playCalls, playDay, playMinutes } from './developer-script.ts';
import { transcriptOf, type Exchange, type Variation, type Wire } from './developer-wire.ts';

/** Choices that show only once a day's budget is nearly used up. */
const ofDays = ['developer-shown-window=minute', 'developer-shown-window=closer'];

/** A live key's day, a minute at a time. */
const liveDay = (variation?: Variation): ReturnType<typeof playDay> => playDay('LIVE', 60, 10_000, variation);

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
  const day = async (variation: Variation): Promise<Played> => {
    const exchanges = endOf(await liveDay(variation));
    const usual = await once('day', async () => transcriptOf(endOf(await liveDay())));
    return { differs: transcriptOf(exchanges) !== usual, runs: [exchanges] };
  };
  return async (name, variation) => {
    if (ofDays.includes(name)) return day(variation);
    const calls = await playCalls(variation);
    const plainCalls = await once('calls', async () => transcriptOf((await playCalls()).exchanges));
    if (transcriptOf(calls.exchanges) !== plainCalls) return { differs: true, runs: [calls.exchanges] };
    const minutes = await playMinutes(variation);
    const plainMinutes = await once('minutes', async () => transcriptOf((await playMinutes()).exchanges));
    return { differs: transcriptOf(minutes.exchanges) !== plainMinutes, runs: [calls.exchanges, minutes.exchanges] };
  };
}
