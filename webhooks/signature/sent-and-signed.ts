import { commonPrefixLength } from '../../common/words.ts';
import type { Delivery } from './delivery.ts';
import { bodiesOf } from './read/bodies.ts';
import { type BodyForm, bodyForms } from './read/body-forms.ts';
import { parseBody } from './read/leaves.ts';

/** The text that was sent and the text that was signed, around the first difference. */
interface SentAndSigned {
  readonly sent: string;
  readonly signed: string;
}

/** How many characters are shown before and after that place, to fit on a line of the console. */
const shown = { before: 16, after: 48 } as const;

/** A form of the body in words: `body as compact JSON with sorted keys`. */
export const formWords = (form: BodyForm): string => bodyForms[form].words;

/** The sent and the signed text of the first delivery in which they differ; null if there is none. */
export function sentAndSigned(form: BodyForm, deliveries: readonly Delivery[]): SentAndSigned | null {
  for (const delivery of deliveries) {
    const sent = delivery.body.toString('utf8');
    const signed = bodiesOf(delivery, parseBody(delivery)).of(form)?.toString('utf8');
    if (signed !== undefined && signed !== sent) {
      const at = commonPrefixLength(sent, signed);
      return { sent: around(sent, at), signed: around(signed, at) };
    }
  }
  return null;
}

function around(text: string, at: number): string {
  const [from, to] = [Math.max(0, at - shown.before), at + shown.after];
  return `${from > 0 ? '…' : ''}${text.slice(from, to).replaceAll('\n', String.raw`\n`)}${to < text.length ? '…' : ''}`;
}
