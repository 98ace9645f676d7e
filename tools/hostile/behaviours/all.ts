import type { Behaviour } from '../behaviour.ts';
import { bodies } from './bodies.ts';
import { connections } from './connections.ts';
import { deliveries } from './deliveries.ts';
import { documents } from './documents.ts';
import { echoes } from './echoes.ts';
import { echoesAs } from './echoes-as.ts';
import { framing } from './framing.ts';
import { headerLines } from './header-lines.ts';
import { moments } from './moments.ts';
import { places } from './places.ts';
import { records } from './records.ts';
import { statusLines } from './status-lines.ts';
import { texts } from './texts.ts';

/** Behaviours by group and by name. */
export type Groups = Readonly<Record<string, Readonly<Record<string, Behaviour>>>>;

/** Hostile answers, by what they abuse. */
export const behaviours: Groups = {
  'the status line': statusLines,
  'header lines': headerLines,
  'lengths, chunks and codings': framing,
  bodies: bodies,
  'ids and places': records,
  connections: connections,
  'texts that reports print': texts,
  'texts where names and codes stand': places,
  'the key, echoed': echoes,
  'the key, in another place': echoesAs,
  'time and order': moments,
};

/** Answers that take much memory. Each is tried on a complete run of both APIs that uses up every limit. */
export const loads: Groups = { documents: documents };

/** Attacks on the receiver of webhooks. */
export const senders: Groups = { 'webhook deliveries': deliveries };
