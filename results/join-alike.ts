import { counted, firstOf, thousands } from '../common/words.ts';
import { simplestFirst } from './root-causes.ts';
import type { Alike, Finding } from './verdict.ts';

/** At least this many things with the same wrong answer share a finding. */
const leastSharing = 4;
const mostNamed = 4;

type WithAlike = Finding & { readonly alike: Alike };

/**
 * The findings with those joined that say the same: one thing that got the same wrong answer on several calls, or many
 * things that did. A joined finding shows the exchange that is easiest to repeat, and names the calls.
 */
export function joinAlike(findings: readonly Finding[]): readonly Finding[] {
  const alike = findings.filter((finding): finding is WithAlike => finding.alike !== undefined);
  const byAnswer = Map.groupBy(alike, ({ alike: { got }, cause }) => `${got} ${cause}`);
  const groups = [...byAnswer.values()].flatMap(groupsOf);
  return findings.flatMap((finding, index) => {
    const group = groups.find(([first]) => first === finding);
    if (group === undefined) {
      return finding.alike === undefined ? finding : [];
    }
    return findings.indexOf(finding) === index ? joinedOf(group) : [];
  });
}

/** A group for each thing that was sent, or one for all of many. */
function groupsOf(same: readonly WithAlike[]): readonly (readonly [WithAlike, ...WithAlike[]])[] {
  const byWhat = [...Map.groupBy(same, ({ alike }) => alike.what).values()];
  return (byWhat.length < leastSharing ? byWhat : [same]) as [WithAlike, ...WithAlike[]][];
}

function joinedOf(group: readonly [WithAlike, ...WithAlike[]]): Finding {
  const [simplest = group[0]] = simplestFirst(group);
  const { alike, ...finding } = simplest;
  const calls = [...new Set(group.map((one) => one.alike.call))];
  const whats = [...new Set(group.map((one) => one.alike.what))];
  if (group.length === 1) {
    return finding;
  }
  const message =
    whats.length === 1
      ? `${alike.what} ${alike.got}, on ${callsText(calls, group.length)}`
      : `${counted(calls.length === 1 ? whats.length : group.length, 'call')} ${alike.got}: ${firstOf(whats.map(inSentence), mostNamed)}`;
  return { ...finding, message, ...(calls.length > 1 ? { calls } : {}) };
}

/** `24 endpoints: GET /a, GET /b and 22 more`, or how often it was one. */
const callsText = (calls: readonly string[], many: number): string =>
  calls.length === 1
    ? `${calls[0]}, ${thousands(many)} times`
    : `${counted(calls.length, 'endpoint')}: ${firstOf(calls, mostNamed)}`;

/** `a call without a key`: without the capital letter of a first word that needs none. */
const inSentence = (what: string): string => what.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
