// What the package exports of this folder, `two-api-conformance/limits`.
export { judge } from './judge/judge.ts';
export { type Sample, sampleOf } from './judge/trace.ts';
export { runMinute } from './procedure/minute.ts';
