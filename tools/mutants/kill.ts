import type { Mutant, Tree } from './instrument.ts';
import { createMemory, takesAnotherWay, trialsFor, withinBudget } from './order.ts';
import { placesOf, sourcesOf } from './places.ts';
import { type Answer, createHand, type Hand } from './pool.ts';
import { clausesPassing, passes, type Rehearsal, type Rehearsed, rehearse, share } from './rehearsal.ts';
import type { Trial } from './trial.ts';
import type { WorkerData } from './worker.ts';

/** What became of a mutant. */
export interface Fate {
  readonly mutant: Mutant;
  readonly killed: boolean;
  /** The trial that told it from the unmutated code, or `goes on and on`. */
  readonly how: string;
  /** Trials that ran with it; 0: nothing passes its place; null: it was not run again. */
  readonly tried: number | null;
}

/** Everything that a mutant is run with. */
export interface Stage {
  readonly tree: Tree;
  readonly data: WorkerData;
  readonly hands: readonly Hand[];
  readonly rehearsal: Rehearsal;
  /** Whether a mutant may survive, for a reason that was given: it is not run again. */
  readonly excused: (mutant: Mutant) => boolean;
}

/** A mutant on one line. */
export function lineOf({ file, line, id, original, replacement }: Mutant): string {
  const [from, to] = [original, replacement].map((text) => text.replace(/\s+/g, ' ').slice(0, 100));
  return `${id} ${file}:${line} ${from} → ${to}`;
}

const jobOf = (mutant: Mutant, trials: readonly Rehearsed[]): Parameters<Hand['do']>[0] => ({
  mutant: mutant.number,
  trials: trials.map(({ trial, outcome }) => ({ trial, outcome })),
});

/** Runs every mutant of a file against the plain deployment, the faults and the absurd servers; what survives, against the choices. */
export async function runMutants(stage: Stage, file: string): Promise<Fate[]> {
  const {
    tree: { mutants },
    hands,
    rehearsal: { atLoad },
  } = stage;
  const sources = sourcesOf([...new Set(mutants.map((mutant) => mutant.file))]);
  const memory = createMemory();
  const own = mutants.filter((mutant) => mutant.file === file);
  const fates = await share(hands, own, async (hand, mutant): Promise<Fate> => {
    if (stage.excused(mutant)) {
      return { mutant, killed: false, how: '', tried: null };
    }
    const early = (atLoad[mutant.number] ?? 0) > 0;
    const places = early ? placesOf(mutant, mutants, sources, atLoad) : [mutant];
    const job = jobOf(
      mutant,
      trialsFor(mutant, places, { rehearsal: stage.rehearsal, memory, marks: stage.tree.marks }),
    );
    const { killed, how, ran } = await (early ? withFreshHand(stage, mutant, job) : hand.do(job));
    if (killed) {
      memory.note(mutant, how);
    }
    return { mutant, killed, how, tried: ran };
  });
  return againstChoices(stage, fates);
}

async function withFreshHand(
  { tree, data }: Stage,
  { number }: Mutant,
  job: Parameters<Hand['do']>[0],
): Promise<Answer> {
  const hand = createHand(tree.folder, { ...data, mutant: number });
  try {
    return await hand.do(job);
  } finally {
    await hand.end();
  }
}

/** What the choices may take for one mutant, in times of a whole plain run. */
const choicesBudget = 3;

/** Runs what is still alive against those choices that change how often the code around it is passed. */
async function againstChoices(stage: Stage, fates: readonly Fate[]): Promise<Fate[]> {
  const {
    hands,
    rehearsal,
    tree: { mutants },
  } = stage;
  const alive = fates.filter(
    ({ killed, tried, mutant }) => !killed && tried !== null && (rehearsal.atLoad[mutant.number] ?? 0) === 0,
  );
  const wanted = new Map(
    alive.map(({ mutant }) => [mutant, rehearsal.choices.filter((choice) => matters(choice, mutant, stage))]),
  );
  const pairs = new Map<string, Trial>();
  const clausesFor = (mutant: Mutant, { api }: Trial): Trial['clauses'] => {
    const clauses = clausesPassing(
      rehearsal.plain,
      api,
      mutants.filter(({ file }) => file === mutant.file),
    );
    return clauses?.length === 0 ? null : clauses;
  };
  const nameIn = ({ file }: Mutant, { trial }: Rehearsed): string => `${trial.name} for ${file}`;
  for (const [mutant, choices] of wanted) {
    for (const choice of choices) {
      pairs.set(nameIn(mutant, choice), { ...choice.trial, clauses: clausesFor(mutant, choice.trial) });
    }
  }
  const known = new Map([...wanted.values()].flat().map((choice) => [choice.trial.name, choice]));
  const names = [...pairs.keys()];
  const ready = await rehearse(
    hands,
    names.map((name) => pairs.get(name) as Trial).filter(({ clauses }) => clauses !== null),
  );
  const byKey = new Map(ready.map((one) => [JSON.stringify(one.trial), one]));
  const again = await share(hands, alive, async (hand, fate): Promise<Fate> => {
    const trials = (wanted.get(fate.mutant) ?? [])
      .map((choice) => {
        const trial = pairs.get(nameIn(fate.mutant, choice)) as Trial;
        return byKey.get(JSON.stringify(trial)) ?? (known.get(trial.name) as Rehearsed);
      })
      .filter((one) => passes(one, [fate.mutant]));
    const { killed, how, ran } = await hand.do(
      jobOf(
        fate.mutant,
        withinBudget(
          rehearsal.plain,
          choicesBudget,
          trials.sort((a, b) => a.ms - b.ms),
        ),
      ),
    );
    return { ...fate, killed, how, tried: (fate.tried ?? 0) + ran };
  });
  const later = new Map(again.map((fate) => [fate.mutant, fate]));
  return fates.map((fate) => later.get(fate.mutant) ?? fate);
}

/** Whether a choice passes the place of a mutant, and takes another way around it. */
function matters(choice: Rehearsed, mutant: Mutant, { rehearsal, tree: { marks } }: Stage): boolean {
  const usual = rehearsal.usual.find(({ trial }) => trial.api === choice.trial.api);
  return passes(choice, [mutant]) && takesAnotherWay(choice, usual, mutant, marks);
}
