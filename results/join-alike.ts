import { counted, firstOf, thousands } from '../common/words.ts';
import { simplestFirst } from './root-causes.ts';
import type { Finding } from './verdict.ts';

const mostNamed = 4;

/**
 * The findings with those joined that say the same of several calls. A joined finding shows the exchange that is easiest
 * to repeat, and names the calls.
 */
export const joinAlike = (findings: readonly Finding[]): readonly Finding[] =>
  [...Map.groupBy(findings, (one) => (one.alike === undefined ? one : `${one.alike.what} ${one.cause}`)).values()].map(
    joinedOf,
  );

function joinedOf(group: readonly Finding[]): Finding {
  const [{ alike, ...finding } = { message: '' }] = simplestFirst(group);
  if (alike === undefined || group.length === 1) {
    return finding;
  }
  const calls = [...new Set(group.flatMap((one) => one.alike?.call ?? []))];
  return calls.length === 1
    ? { ...finding, message: `${alike.what}, on ${calls[0]}, ${thousands(group.length)} times` }
    : {
        ...finding,
        message: `${alike.what}, on ${counted(calls.length, 'endpoint')}: ${firstOf(calls, mostNamed)}`,
        calls,
      };
}
