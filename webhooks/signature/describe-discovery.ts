import { contentFormula, describeScheme, sourceWords } from './describe.ts';
import type { Discovery, OddDelivery } from './discovery.ts';
import { bodyForms } from './read/body-forms.ts';

/** The discovery in one sentence. Shows no secret. */
export function describeDiscovery(found: Discovery): string {
  switch (found.kind) {
    case 'verified':
      return `Signed with HMAC-SHA256 over the payload${found.provisional ? ' (provisional)' : ''}: ${contentFormula(found.scheme.content)}`;
    case 'unsigned':
      return 'Not signed: no header, query parameter or body field holds a value the size of a signature that changes with the payload';
    case 'other-algorithm':
      return `Not signed with HMAC-SHA256 under the secret: ${sourceWords(found.token)} holds ${found.algorithm}`;
    case 're-serialised':
      return `Signed over different bytes than those sent: the ${bodyForms[found.form].words}. Receivers that verify the raw body reject it`;
    case 'body-not-covered':
      return `The signature leaves the payload out: it is made over ${contentFormula(found.scheme.content)}`;
    case 'inconsistent':
      return `Not every delivery is signed in the same way: ${oddWords(found.odd).slice(0, 5).join('; ')}`;
    case 'unknown-content':
      return unknown(found);
  }
}

/**
 * How deliveries differ, each difference once: `Delivery 2 carries no signature`, `Deliveries 2, 3: each carries no
 * signature`.
 */
export function oddWords(odd: readonly OddDelivery[]): string[] {
  const byDifference = Map.groupBy(odd, ({ index, message }) => message.slice(`Delivery ${index + 1} `.length));
  return [...byDifference].map(([text, deliveries]) => {
    const numbers = deliveries.map(({ index }) => index + 1);
    return numbers.length === 1 ? `Delivery ${numbers[0]} ${text}` : `Deliveries ${numbers.join(', ')}: each ${text}`;
  });
}

/** A token has the right form, so either another secret was used or the signed content is one that was not tried. */
function unknown({ tokens, tried }: Extract<Discovery, { kind: 'unknown-content' }>): string {
  const places = tokens.slice(0, 5).map(({ source }) => sourceWords(source));
  if (tried.hmacs === 0) {
    return `Cannot be decided: ${places.join(', ')} may hold a signature in a form that cannot be read; hexadecimal and base64 can`;
  }
  const search = `${tried.hmacs} HMACs of ${tried.contents} contents under ${tried.keys} readings of ${tried.secrets === 1 ? 'the secret' : `${tried.secrets} secrets`}${tried.complete ? '' : ', stopped at a limit'}`;
  return `Cannot be decided: ${places.join(', ')} has the form of an HMAC-SHA256, made with a secret or over content that was not tried (none of ${search} matches)`;
}

/** The discovery in full: the sentence, how to verify, what else was seen. Shows no secret. */
export function discoveryLines(found: Discovery): string[] {
  const lines = [describeDiscovery(found)];
  if ('scheme' in found) {
    lines.push(describeScheme(found.scheme));
  }
  if (found.kind === 'inconsistent') {
    lines.push(...oddWords(found.odd).slice(5, 50));
  }
  if (found.kind === 'verified') {
    lines.push(
      ...found.alternatives.map(
        (other) =>
          `Equally possible, since these deliveries do not distinguish the two: ${contentFormula(other.content)}`,
      ),
    );
    lines.push(...found.others.map((other) => `Another signature that verifies. ${describeScheme(other)}`));
  }
  return [...lines, ...found.notes.map((note) => `Note: ${note}`)];
}
