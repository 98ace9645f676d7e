import { faultyModels } from './faulty.ts';
import type { Model } from './model.ts';
import { soundModels } from './sound.ts';

/** Every limiter that the judge must know, with the verdicts that are right for it. */
export const models: Readonly<Record<string, Model>> = { ...soundModels, ...faultyModels };
