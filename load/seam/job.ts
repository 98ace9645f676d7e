// A script as k6 runs it: options, thresholds, one VU for each key, and what its verdicts count for.
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';
import { clauseOf } from '../../contract/clauses.ts';
import { emit, redact, type Tools, toolsFor } from './calls.ts';
import { type Plan, planOf, type Subject } from './make-plan.ts';
import type { ScriptName } from './plan.ts';
import { type Judged, mainClause, type Part, Undecided } from './trace.ts';

/** k6 ends with 0 in spite of exceptions and of VUs that are cut off, so both are counted, too. */
const counters = {
  clause_failed: new Counter('clause_failed'),
  clause_undecided: new Counter('clause_undecided'),
  script_errors: new Counter('script_errors'),
  keys_judged: new Counter('keys_judged'),
};

/** What a script does with one key, and what it concludes. May throw Undecided. */
type Drive = (tools: Tools, plan: Plan) => Promise<Judged>;

/**
 * The most minutes that a script takes, with time to wait until a key is idle. k6 would cut it off after ten, and Grafana
 * Cloud refuses what may take hours.
 */
const longest = ({ script, bursts, soakMs }: Plan): number =>
  10 +
  { 'per-minute': 10, shared: 10, burst: 2 * bursts, 'per-day': 24 * 60, soak: Math.ceil(soakMs / 60_000) }[script];

/**
 * A script: `drive` is run for each key, in a VU of its own. Throws, with one line, for variables that cannot be used;
 * k6 then exits with 107. That no key can be tried is said in `setup`, since `k6 archive` and `k6 inspect` have no keys.
 */
export function job(script: ScriptName, drive: Drive) {
  const plan = planOf(script, __ENV);
  const vus = Math.max(1, plan.subjects.length);
  return {
    // One iteration for each VU.
    options: {
      scenarios: {
        main: {
          executor: 'per-vu-iterations',
          vus,
          iterations: 1,
          maxDuration: `${longest(plan)}m`,
          gracefulStop: '1s',
        },
      },
      thresholds: {
        clause_failed: ['count==0'],
        clause_undecided: ['count==0'],
        script_errors: ['count==0'],
        keys_judged: [`count==${vus}`],
      },
      // Not the URL, so that no output can have more of a call than its key's label.
      systemTags: ['status', 'method', 'name', 'error_code', 'scenario'],
      userAgent: 'two-api-conformance-load',
      maxRedirects: 0,
    } satisfies Options,
    setup() {
      const planned = exec.test.options.scenarios?.main as { readonly vus?: number } | undefined;
      const packed = `it was packed for ${planned?.vus ?? 'no'} keys, and ${vus} are set`;
      const differs = `${packed}: k6 must not be told of VUs, iterations or stages`;
      const trouble = plan.trouble ?? (planned?.vus === vus ? null : differs);
      if (trouble !== null) {
        throw new Error(trouble);
      }
      for (const { api, label, why } of plan.skipped) {
        if (!plan.traced) {
          console.log(`${label} is not tried: ${why}`);
        }
        if (plan.subjects.every((subject) => subject.api !== api)) {
          counters.clause_undecided.add(1, { clause: mainClause(script, api) });
        }
      }
    },
    async run() {
      const subject = plan.subjects[exec.vu.idInTest - 1];
      if (subject === undefined) {
        throw new Error('There are more VUs than keys: k6 must not be told how many there are');
      }
      await judgeKey(plan, subject, drive);
    },
  };
}

/** Drives and judges one key. `await` works in k6 as long as the whole iteration is one promise. */
async function judgeKey(plan: Plan, subject: Subject, drive: Drive): Promise<void> {
  try {
    const judged = await drive(toolsFor(plan, subject), plan).catch((error: unknown) =>
      undecided(error, plan, subject),
    );
    for (const part of judged.parts) {
      count(part, plan, subject);
      if (!plan.traced && part.says !== '') {
        const tell = part.verdict === 'fails' ? console.error : console.log;
        tell(`${part.verdict.padEnd(9)} ${part.clause} (${subject.label}): ${part.says}`);
      }
    }
    counters.keys_judged.add(1);
    emit(plan, { t: 'judged', subject: subject.label, ...judged });
  } catch (error) {
    counters.script_errors.add(1);
    console.error(`${subject.label}: the script threw: ${redact(subject, `${error as Error}`)}`);
  }
}

/** What calls show that leave the script's clause open. Throws any other error again. */
function undecided(error: unknown, { script }: Plan, { api }: Subject): Judged {
  if (!(error instanceof Undecided)) {
    throw error;
  }
  const { message: says } = error;
  return { parts: [{ clause: mainClause(script, api), verdict: 'undecided', says }], says: [says], detail: null };
}

/** Counts what a clause's verdict means for the exit status: with STRICT a should counts like a must. */
function count({ clause, verdict }: Part, { script, strict }: Plan, { api }: Subject): void {
  const { level } = clauseOf(clause);
  const counts = level === 'must' || (strict && level === 'should');
  if (verdict === 'fails' && counts) {
    counters.clause_failed.add(1, { clause });
  }
  if (verdict === 'undecided' && (clause === mainClause(script, api) || (strict && level === 'must'))) {
    counters.clause_undecided.add(1, { clause });
  }
}
