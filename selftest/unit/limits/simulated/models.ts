import { faultyModels } from './faulty.ts';
import type { Model } from './model.ts';
import { soundModels } from './sound.ts';

/** The limiters that the judge must recognise, with the right verdicts. */
export const models: Readonly<Record<string, Model>> = { ...soundModels, ...faultyModels };
