import { type Answer, isSuccess } from '../answer.ts';
import type { Api } from '../api.ts';
import type { Call } from '../call.ts';
import { type ApiKey, isOfOtherWorkspace } from '../key.ts';
import { namedBy, nameOf } from './write-guard.ts';

/** The effects of the run's own calls that a deployment may take KEY_SETTLE_MS to show. */
export interface Settling {
  /** Notes that the run made a record. `at`: epoch milliseconds. */
  made(collection: string, id: string, at: number): void;
  /** Notes the answer to a call: a record that it deleted is not waited for. */
  note(call: Call, answer: Answer): void;
  /**
   * Until when a call is repeated that got this status, epoch milliseconds: its key, or the record that its path names,
   * may be too new to be known everywhere. undefined: the status stands.
   */
  deadline(call: Call, status: number): number | undefined;
}

/** Whether the key may open the account or workspace that holds the run's records. */
const mayFind = (key: ApiKey | null): boolean => key !== null && key.origin !== 'unknown' && !isOfOtherWorkspace(key);

export function createSettling<S>(api: Pick<Api<S>, 'endpoints'>, settleMs: number): Settling {
  /** When the run made each record, by its name. */
  const madeAt = new Map<string, number>();
  const recordChangedAt = ({ path, key }: Call, status: number): number | undefined =>
    status === 404 && mayFind(key) ? madeAt.get(namedBy(api, path)?.name ?? '') : undefined;
  const keyChangedAt = ({ key, isOutdated }: Call, status: number): number | undefined =>
    (isOutdated?.(status) ?? (status === 401 && key?.origin === 'own')) ? key?.changedAt : undefined;
  return {
    made(collection, id, at) {
      madeAt.set(nameOf(collection, id), at);
    },
    note({ method, path }, answer) {
      if (method === 'DELETE' && isSuccess(answer)) {
        madeAt.delete(namedBy(api, path)?.name ?? '');
      }
    },
    deadline(call, status) {
      const changedAt =
        keyChangedAt(call, status) ?? (call.isOutdated === undefined ? recordChangedAt(call, status) : undefined);
      return changedAt === undefined ? undefined : changedAt + settleMs;
    },
  };
}
