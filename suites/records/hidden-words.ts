import { at, type JsonObject } from '../../common/json.ts';
import { isRecognised } from '../reading/fingerprint.ts';
import { showsId } from '../reading/id-places.ts';
import { mentionsSpelled } from '../reading/own-words.ts';
import { rowsIn } from '../reading/rows.ts';
import { idsOf } from '../reading/shown-ids.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './collections.ts';
import { isOfStore } from './ids/earlier-rows.ts';

/**
 * Whether a list hides the words of the run: it has shown a record of the run, by its id, without anything by which the
 * record is recognised. Such a list cannot prove that a record does not exist. `inAnySpelling`: the words in another
 * spelling are not hidden.
 */
export function hidesWords(
  { api, evidence, ledger }: Session,
  collection: string,
  { inAnySpelling = false } = {},
): boolean {
  const noun = nounOf(collection);
  const entries = ledger.all().filter((entry) => entry.collection === collection && entry.id !== undefined);
  const readings = evidence.exchanges.filter(({ endpoint }) => endpoint === `GET ${collection}`);
  return readings.some(({ keyLabel, response }) => {
    const rows = rowsIn(at(response?.json, api.payload), noun) ?? [];
    const shown = entries.filter(({ keySetting }) => isOfStore(keyLabel, keySetting));
    return rows.some((row) =>
      shown.some((entry) => isHiddenIn(row, noun, entry) && !(inAnySpelling && mentionsSpelled(row, entry.tag))),
    );
  });
}

const isHiddenIn = (row: JsonObject, noun: string, { id = '', tag, fingerprint = nothing }: Entry): boolean =>
  (idsOf(row, noun).includes(id) || (isUnguessable(id) && showsId(row, id))) && !isRecognised(row, tag, fingerprint);

const nothing = { references: [], times: [] };
