import type { ApiKey } from './key.ts';

/** The keys that a run has sent, or may not send, by label. */
export interface KeyBook {
  note(key: ApiKey): void;
  /** The key with that label; undefined: there is none. */
  byLabel(label: string): ApiKey | undefined;
  /** The key that the run made and that has that id; undefined: it is not known. */
  ownById(id: string): ApiKey | undefined;
}

export function createKeyBook(): KeyBook {
  const keys = new Map<string, ApiKey>();
  return {
    note(key) {
      keys.set(key.label, key);
    },
    byLabel: (label) => keys.get(label),
    ownById: (id) => [...keys.values()].findLast((key) => key.id === id),
  };
}
