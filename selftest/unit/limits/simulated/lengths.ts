// Limiters with the right number, but with a window that is longer or shorter than a minute of the deployment's clock.
import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import { anchoredMeter, fixedMeter, logMeter } from '../../../../fixtures/reference/meters.ts';
import { counting, type Model, type Parts } from './model.ts';

type Timed = (windowMs: number, parts: Parts) => Meter;

const timed: Readonly<Record<string, Timed>> = {
  'by the clock': (windowMs) => fixedMeter(windowMs, 0),
  'from the first call': (windowMs) => anchoredMeter(windowMs),
  'at an odd phase': (windowMs, { phase }) => fixedMeter(windowMs, phase),
  sliding: (windowMs) => logMeter(windowMs),
};

const lasting = (seconds: number, meter: Timed | undefined): Model['build'] =>
  counting(0, (parts) => (meter as Timed)((seconds / 60) * parts.windowMs, parts));

const longer = (seconds: number, name: string): [string, Model] => [
  `${seconds} seconds, ${name}`,
  { verdict: 'holds', orUndecided: true, recovery: 'fails', build: lasting(seconds, timed[name]) },
];

const shorter = (seconds: number): [string, Model][] =>
  Object.entries(timed).map(([name, meter]) => [
    `${seconds} seconds, ${name}`,
    { verdict: 'more', recovery: 'holds', build: lasting(seconds, meter) },
  ]);

export const otherLengths: Readonly<Record<string, Model>> = {
  ...Object.fromEntries([
    longer(90, 'from the first call'),
    longer(90, 'sliding'),
    longer(120, 'from the first call'),
    longer(120, 'by the clock'),
    ...[10, 45].flatMap(shorter),
  ]),
  // The end of its window varies: the procedure may see two of them a minute apart.
  '90 seconds, at an odd phase': {
    verdict: 'more',
    byChance: true,
    orUndecided: true,
    build: lasting(90, timed['at an odd phase']),
  },
};
