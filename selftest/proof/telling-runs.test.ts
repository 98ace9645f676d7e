import { expect, test } from 'vitest';
import type { Clock } from '../../common/clock.ts';
import type { Transport } from '../../suites/session/transport.ts';
import { sortsOf } from './left.ts';
import { losingAnswers } from './lost-answers.ts';
import { runInProcess } from './run-in-process.ts';
import { slowedBy, tellingRuns, unreached } from './telling-runs.ts';

test.for(Object.entries(tellingRuns))(
  '%s',
  async ([, { chosen, fault, loses, slowMs = 0, unreached: never, ...plan }]) => {
    const lost = (transport: Transport): Transport =>
      loses === undefined ? transport : losingAnswers(loses).between(transport);
    const between = (transport: Transport, clock: Clock): Transport =>
      slowedBy(slowMs)(lost(never ? unreached(transport) : transport), clock);
    const { results, left } = await runInProcess({
      ...plan,
      between,
      choices: chosen,
      faults: fault === undefined ? [] : [fault],
    });
    const red = results.filter(({ verdict }) => !['pass', 'observed', 'inconclusive'].includes(verdict));
    if (fault === undefined) {
      expect(red.map(({ id, findings }) => [id, findings[0]?.message])).toEqual([]);
    }
    const seen = Object.fromEntries(
      results.map(({ id, verdict, observed }) => [id, observed === null ? verdict : { [verdict]: observed }]),
    );
    expect(left.length === 0 ? seen : { ...seen, left: sortsOf(left) }).toMatchSnapshot();
  },
);
