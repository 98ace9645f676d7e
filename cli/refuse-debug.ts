/**
 * Ends the process with 2 where NODE_DEBUG is set: Node and undici would print requests with their keys. DEBUG, which
 * only concerns libraries that are loaded later, is dropped. Every command that sends keys must call this first.
 */
export function refuseDebug(): void {
  delete process.env.DEBUG;
  if ((process.env.NODE_DEBUG ?? '') !== '') {
    process.stderr.write('Cannot run with NODE_DEBUG set, which would print keys: unset it\n');
    process.exit(2);
  }
}
