// What the package exports of this folder, `two-api-conformance/webhooks`.
export { eventsIn } from './events/read.ts';
export { receiveDeliveries } from './inbox/server.ts';
export { checkReceiver } from './receiver/check.ts';
export type { Delivery } from './signature/delivery.ts';
export type { Discovery } from './signature/describe.ts';
export { describeScheme, discoveryLines } from './signature/describe.ts';
export { discoverScheme } from './signature/discover.ts';
export type { Scheme } from './signature/scheme.ts';
export { parseScheme, presets } from './signature/scheme.ts';
export { verifyWebhook } from './verify/verify.mjs';
