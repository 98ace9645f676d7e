import type { Environment } from '../../contract/scopes.ts';
import { type ScriptName, settingOf, type Variables } from '../seam/plan.ts';

/** Makes keys for the run, so that the budgets of given keys are not used up, and deletes them at the end. */
export interface KeyMaker {
  /** Makes a key with all scopes. Gives its secret, or one line about why there is none. */
  readonly make: (environment: Environment) => Promise<{ readonly secret: string } | { readonly why: string }>;
  /** Deletes all keys that were made. Gives a line for each that is left behind. */
  readonly close: () => Promise<string[]>;
}

/**
 * Makes the keys whose limits a script uses up: with EXHAUST=own, and for `shared` a sandbox key, beside which the given
 * one is tried. Gives variables for the script, in which they take the places of the given keys.
 */
export async function makeKeys(script: ScriptName, env: Variables, maker: KeyMaker): Promise<Variables> {
  const isPair = script === 'shared';
  const mayMake = script !== 'soak' && (env.EXHAUST === 'own' || (isPair && env.EXHAUST !== 'none'));
  const usable = (isPair ? ['sandbox' as const] : ['sandbox' as const, 'live' as const]).filter(
    (name) => mayMake && (env.LOAD_KEY || name).split(',').includes(name) && env.BASE_URL && env[settingOf(name)],
  );
  const variables: Record<string, string | undefined> = {};
  const unmade: Record<string, string> = {};
  const own: string[] = [];
  for (const name of usable) {
    const key = await maker.make(name);
    if ('secret' in key) {
      own.push(name);
      variables[settingOf(name)] = key.secret;
      variables.LOAD_SECOND_API_KEY = isPair ? env[settingOf(name)] : undefined;
    } else {
      unmade[settingOf(name)] = `No ${name} key could be made (${key.why}). `;
    }
  }
  return { ...variables, LOAD_OWN: own.join(), LOAD_UNMADE: JSON.stringify(unmade) };
}
