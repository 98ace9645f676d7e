import { areFarNumbers, contendersIn, hasNoRival, haveOneForm, isAttested, isNobodyElses } from './contenders.ts';
import { type Candidate, type Evidence, isNamed, type Step } from './evidence.ts';

/**
 * The ids of the record, the likeliest first; none: nothing proves one. Or the step that would decide it, and for reads
 * the ids.
 */
type Decision = { readonly ids: readonly string[] } | Asked;
export interface Asked {
  readonly ask: Step;
  readonly about: readonly string[];
}

/** A rule gives ids, asks for a step, or leaves the decision to the next rule (null). */
interface Rule {
  readonly name: string;
  /**
   * Why calls under the ids that it gives change and delete nothing but the record; or what the step that it asks for
   * shows.
   */
  readonly because: string;
  readonly decide: (evidence: Evidence, contenders: readonly Candidate[]) => Decision | null;
}

const idsOf = (some: readonly Candidate[]): readonly string[] => some.map(({ id }) => id);
const give = (some: readonly Candidate[]): Decision | null => (some.length === 0 ? null : { ids: idsOf(some) });

/** Gives one contender, and after it those others that no other record can have: paths may take one of these. */
const giveWithOthers = (
  one: Candidate | undefined,
  contenders: readonly Candidate[],
  evidence: Evidence,
): Decision => ({
  ids: idsOf(contenders.filter((other) => other === one || isNobodyElses(other, evidence))),
});

/** Asks for reads by those ids that no read has tried. */
function askForReads(some: readonly Candidate[], { open }: Evidence): Decision | null {
  const about = idsOf(some.filter(({ read }) => read === null));
  return open.has('reads') && about.length > 0 ? { ask: 'reads', about } : null;
}

/** Asks for a step that no call has made. */
const askFor = (ask: Step, { open }: Evidence): Decision | null => (open.has(ask) ? { ask, about: [] } : null);

const isOwnField = ({ standing }: Candidate): boolean => isNamed(standing) || standing === 'possible';

/** Whether the answer shows it for the record's own id, and the row does not show it. */
const isOfAnswerAlone = (one: Candidate): boolean => isOwnField(one) && one.isInAnswer && !one.isInRow;

const isOnlyNamed = (contenders: readonly Candidate[]): boolean =>
  contenders.length === 1 && contenders.every(({ standing }) => isNamed(standing));

/**
 * In the order in which they are asked: the first one that decides does. Nothing is asked for that changes anything.
 */
export const rules: readonly Rule[] = [
  {
    name: 'a read shows the record',
    because: 'The words of the run stand in no other record.',
    decide: ({ candidates }) => give(candidates.filter(({ read }) => read === 'the record')),
  },
  {
    name: 'it stands where the first record had its id',
    because: 'A read has confirmed the place with the first record of the kind.',
    decide: ({ reading }, contenders) =>
      reading === 'none' ? null : give(contenders.filter(({ standing }) => standing === 'taught')),
  },
  {
    name: 'another row has the id of the answer',
    because:
      "If a list showed it before the create, the answer names another record. Otherwise it is not known which row is the record's.",
    decide: ({ hasRow, candidates }) => {
      const isElsewhere = (one: Candidate): boolean => isOfAnswerAlone(one) && one.isShared && !one.isEarlier;
      return hasRow && candidates.some(isElsewhere) ? { ids: [] } : null;
    },
  },
  {
    name: 'a call takes one value alone',
    because: 'Of all that the record shows, it is the only value that the deployment knows as an id.',
    decide: ({ reading }, contenders) => {
      const taken = contenders.filter(({ read }) => read === 'something');
      return reading === 'takes the id' && taken.length === 1 ? give(taken) : null;
    },
  },
  {
    name: 'read by all ids of the answer',
    because: 'A read that shows the record shows whose id it is.',
    decide: (evidence) => {
      const { open, reading, candidates } = evidence;
      const answered = candidates.filter((one) => one.isInAnswer && !one.isGiven && !one.isSecret);
      return reading === 'shows the record' && open.has('list') ? askForReads(answered, evidence) : null;
    },
  },
  {
    name: 'look for the row',
    because:
      'The list shows what the deployment has stored, and whether the answer names a record that was there before.',
    decide: (evidence) => askFor('list', evidence),
  },
  {
    name: 'try the only id of the answer',
    because: 'A call that takes it shows that the deployment knows it.',
    decide: (evidence, contenders) => {
      const { reading, isAnswerClear } = evidence;
      const named = contenders.filter(({ standing }) => isNamed(standing));
      const isOnly = reading === 'takes the id' && isAnswerClear && named.length === 1;
      return isOnly ? askForReads(named, evidence) : null;
    },
  },
  {
    name: 'read by all ids of the row',
    because: 'Of several values, a read shows which one is the id.',
    decide: (evidence, contenders) => (isOnlyNamed(contenders) ? null : askForReads(contenders, evidence)),
  },
  {
    name: 'the row has another id than the answer',
    because: 'The row is what the deployment has stored, and the id of the answer may be that of another record.',
    decide: ({ hasRow, candidates }, contenders) => {
      const answered = candidates.filter(isOfAnswerAlone);
      const isInstead = (one: Candidate): boolean =>
        answered.some(({ id, isShared }) => isShared || (haveOneForm(one.id, id) && !areFarNumbers(one.id, id)));
      const listed = contenders.filter((one) => isOwnField(one) && !one.isInAnswer && isInstead(one));
      return hasRow && listed.length === 1 ? give(listed) : null;
    },
  },
  {
    name: 'the answer is nothing else',
    because:
      'A create that answers with one value alone gives the id for further calls, and the row shows that it is of this record.',
    decide: (_, contenders) => give(contenders.filter(({ standing, isInRow }) => standing === 'alone' && isInRow)),
  },
  {
    name: 'Location leads to it',
    because: 'Location is the path of the new record, whatever else the record calls an id.',
    decide: (_, contenders) => give(contenders.filter(({ standing }) => standing === 'located')),
  },
  {
    name: 'read all pages',
    because: 'What stands in no other row is the id of no other record.',
    decide: (evidence, contenders) => {
      const { reading, hasRow, isListWhole } = evidence;
      const isPart = reading === 'none' && hasRow && !isListWhole;
      return isPart && contenders.length > 1 ? askFor('all pages', evidence) : null;
    },
  },
  {
    name: 'it can name no other record',
    because:
      'The record calls nothing else its id, and shows no other value of this form. Or no row of others shows it, and either all rows were read or nobody can guess it.',
    decide: (evidence, contenders) => {
      const [first] = contenders;
      const rivals = contenders.filter((one) => one !== first && isNamed(one.standing));
      const isOnly =
        first !== undefined &&
        isAttested(first) &&
        hasNoRival(first, contenders) &&
        (rivals.length === 0 || isNobodyElses(first, evidence));
      return giveWithOthers(isOnly ? first : undefined, contenders, evidence);
    },
  },
];

/** What the first rule says that decides, and its name. */
export function decide(evidence: Evidence): Decision & { readonly rule: string } {
  const contenders = contendersIn(evidence);
  for (const { name, decide: decideBy } of rules) {
    const decision = decideBy(evidence, contenders);
    if (decision !== null) {
      return { ...decision, rule: name };
    }
  }
  return { ids: [], rule: 'none' };
}
