import type { Word } from '../../results/verdict.ts';
import { marks } from '../words.ts';
import { type Markup, markup } from './markup.ts';

/** A verdict as a word and a mark, so that it is not shown by colour alone. */
export const badge = (word: Word): Markup =>
  markup`<span class="badge ${word}"><span class="mark" aria-hidden="true">${marks[word]}</span>${word}</span>`;
