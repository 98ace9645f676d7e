// Globals of k6 that @types/k6 does not declare.
declare const console: { log: (...values: unknown[]) => void; error: (...values: unknown[]) => void };
declare function setTimeout(callback: () => void, ms: number): number;
