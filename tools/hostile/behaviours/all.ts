import type { Behaviour } from '../behaviour.ts';
import { bodies } from './bodies.ts';
import { echoes } from './echoes.ts';
import { echoesAs } from './echoes-as.ts';
import { framing } from './framing.ts';
import { headerLines } from './header-lines.ts';
import { moments } from './moments.ts';
import { statusLines } from './status-lines.ts';
import { texts } from './texts.ts';

/** Hostile behaviours by what they abuse, each by what it does. */
export const behaviours: Readonly<Record<string, Readonly<Record<string, Behaviour>>>> = {
  'the status line': statusLines,
  'header lines': headerLines,
  'lengths, chunks and codings': framing,
  bodies: bodies,
  'texts that reports print': texts,
  'the key, echoed': echoes,
  'the key, in another place': echoesAs,
  'time and order': moments,
};
