import { hostileConnections } from '../../../selftest/unit/suites/session/transport/hostile-connections.ts';
import type { Case } from '../../../selftest/unit/suites/session/transport/hostile-servers.ts';
import { oddAnswers } from '../../../selftest/unit/suites/session/transport/odd-answers.ts';
import type { Behaviour } from '../behaviour.ts';
import { bodies, documents, records } from './bodies.ts';
import { deliveries } from './deliveries.ts';
import { connections, framing, headerLines, statusLines } from './protocol.ts';
import { echoes, places, texts } from './texts.ts';

/** Behaviours by group and by name. */
export type Groups = Readonly<Record<string, Readonly<Record<string, Behaviour>>>>;

const byName = (cases: Readonly<Record<string, Case>>): Groups[string] =>
  Object.fromEntries(Object.entries(cases).map(([name, [behave]]) => [name, behave]));

/** Abuses of connections and odd answers, of which unit tests say what the client makes of each. */
export const tried: Groups = { 'what the client tells apart': byName({ ...hostileConnections, ...oddAnswers }) };

/** Hostile answers, by what they abuse. */
export const behaviours: Groups = {
  'the status line': statusLines,
  'header lines': headerLines,
  'lengths, chunks and codings': framing,
  bodies,
  'ids and places': records,
  connections,
  'texts that reports print': texts,
  'texts where names and codes stand': places,
  'the key, echoed': echoes,
};

/** Answers that take much memory. Each is tried on a complete run of both APIs that uses up every limit. */
export const loads: Groups = { documents };

/** Attacks on the receiver of webhooks. */
export const senders: Groups = { 'webhook deliveries': deliveries };
