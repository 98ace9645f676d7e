// Answers every call with the same envelope, after as many milliseconds as its argument says, or at once.
import { createServer } from 'node:http';

const id = '6f1c2f6e-7d0c-4b6e-9d5e-3f6a2b1c0d9e';
const body = JSON.stringify({
  success: true,
  data: {
    account: 'acc_1',
    name: 'Bench',
    environment: 'sandbox',
    scopes: ['ads:read', 'leads:read', 'bookings:read'],
  },
  context: { environment: 'sandbox' },
  error: null,
  meta: { trace_id: id, timestamp: '2026-01-01T00:00:00.000Z' },
});
const headers = {
  'Content-Type': 'application/json',
  'Content-Length': String(Buffer.byteLength(body)),
  'X-RateLimit-Limit': '120',
  'X-RateLimit-Remaining': '60',
  'X-RateLimit-Reset': '1800000000',
};

const latencyMs = Number(process.argv[2] ?? 0);
const server = createServer((_, response) => {
  const answer = (): void => {
    response.writeHead(200, headers).end(body);
  };
  if (latencyMs > 0) {
    setTimeout(answer, latencyMs);
  } else {
    answer();
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`);
});
