import type { Budget } from './budget.ts';
import type { Key } from './keys.ts';
import type { Match, Scene } from './search.ts';

/** The tokens that one content explains under any key. */
export function explain(
  scene: Scene,
  keys: readonly Key[],
  budget: Budget,
  content: Buffer | string,
): Pick<Match, 'token' | 'key'>[] {
  budget.content();
  for (const key of keys) {
    const digest = budget.hmac(key.object, [content], content.length);
    const tokens = digest === undefined ? undefined : scene.wanted.get(digest);
    if (tokens !== undefined) {
      return tokens.map((token) => ({ token, key: key.form }));
    }
  }
  return [];
}
