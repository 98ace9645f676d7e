import { bodyWords, contentFormula, describeScheme, sourceWords } from './describe.ts';
import type { Discovery } from './discovery.ts';

/** What was found out, in one sentence. Shows no secret. */
export function describeDiscovery(found: Discovery): string {
  switch (found.kind) {
    case 'verified':
      return `Signed with HMAC-SHA256 over the payload${found.provisional ? ' (provisional)' : ''}: ${contentFormula(found.scheme.content)}`;
    case 'unsigned':
      return "Not signed: no header, query parameter or body field holds a value of a signature's size that changes with the payload";
    case 'other-algorithm':
      return `Not signed with HMAC-SHA256 under the secret: ${sourceWords(found.token)} holds ${found.algorithm}`;
    case 're-serialised':
      return `Signed over another text than the one sent: ${bodyWords[found.form]}. Receivers that verify the raw body reject it`;
    case 'body-not-covered':
      return `The signature leaves the payload out: it is made over ${contentFormula(found.scheme.content)}`;
    case 'inconsistent':
      return `Not every delivery is signed alike: ${found.odd
        .slice(0, 5)
        .map(({ message }) => message)
        .join('; ')}${found.odd.length > 5 ? '; …' : ''}`;
    case 'unknown-content':
      return unknown(found);
  }
}

function unknown({ tokens, tried }: Extract<Discovery, { kind: 'unknown-content' }>): string {
  const places = tokens
    .slice(0, 5)
    .map(
      ({ source, bytes }) =>
        `${sourceWords(source)} (${bytes === 0 ? 'in a form that is not known' : `${bytes} bytes`})`,
    )
    .join(', ');
  const search = `${tried.hmacs} HMACs of ${tried.contents} contents under ${tried.keys} readings of the secret${tried.complete ? '' : ', ended at a bound'}`;
  if (tried.hmacs === 0) {
    return `Cannot be told: ${places} may be a signature; known are hexadecimal and base64`;
  }
  const size = tokens.some(({ bytes }) => bytes === 32) ? '' : '; an HMAC-SHA256 has 32 bytes';
  return `Cannot be told: ${places} may be a signature, and none of ${search} gives it${size}. The secret may be another one, or the content one that was not tried`;
}

/** Everything that a reader may want to know: the sentence, how to verify, what else was seen. */
export function discoveryLines(found: Discovery): string[] {
  const lines = [describeDiscovery(found)];
  if ('scheme' in found) {
    lines.push(describeScheme(found.scheme));
  }
  if (found.kind === 'inconsistent') {
    lines.push(...found.odd.slice(5, 50).map(({ message }) => message));
  }
  if (found.kind === 'verified') {
    lines.push(
      ...found.alternatives.map(
        (other) =>
          `Equally possible, as nothing in these deliveries tells them apart: ${contentFormula(other.content)}`,
      ),
    );
    lines.push(...found.others.map((other) => `Another signature that verifies. ${describeScheme(other)}`));
  }
  return [...lines, ...found.notes.map((note) => `Note: ${note}`)];
}
