import { TransportFailure, type Transport } from '../../suites/kit/transport.ts';

/** A network that loses the answer to every so many creations: the deployment has made what nobody hears of. */
export const losingAnswers = (every: number) => (transport: Transport): Transport => {
  let creations = 0;
  return async (request, bounds) => {
    const answer = await transport(request, bounds);
    if (request.method !== 'POST' || answer.status >= 300) return answer;
    creations += 1;
    if (creations % every === 0) throw new TransportFailure('closed', 'Connection is closed before an answer came');
    return answer;
  };
};
