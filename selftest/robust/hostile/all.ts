import { hostileServers } from '../../unit/suites/session/transport/hostile-servers.ts';
import type { Behaviour } from './behaviour.ts';
import { bodies, records } from './bodies.ts';
import { connections, heads } from './protocol.ts';
import { echoes, places, texts } from './texts.ts';

/** Behaviours by group and by name. */
type Groups = Readonly<Record<string, Readonly<Record<string, Behaviour>>>>;

/** Abuses of connections and odd answers, of which unit tests say what the client makes of each. */
export const tried: Groups = {
  'what the client tells apart': Object.fromEntries(
    Object.entries(hostileServers).map(([name, [behave]]) => [name, behave]),
  ),
};

/** Hostile answers, by what they abuse. */
export const behaviours: Groups = {
  'status and header lines': heads,
  bodies,
  'ids and places': records,
  'lengths and connections': connections,
  'texts that reports print': texts,
  'texts where names and codes stand': places,
  'the key, echoed': echoes,
};
