// What k6 gives every script and @types/k6 does not declare.
declare const console: { log: (...values: unknown[]) => void };
declare function setTimeout(callback: () => void, ms: number): number;
