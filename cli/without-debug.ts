/** With these set, Node, undici and others print what is sent: URLs and header lines, keys and all. */
const telling = ['NODE_DEBUG', 'DEBUG'];

/**
 * Takes what makes Node print requests out of the environment, says so, and begins the process anew: Node has read it by
 * the time that anything of ours runs. To be called first by every command that sends keys.
 */
export function withoutDebug(): void {
  const set = telling.filter((name) => (process.env[name] ?? '') !== '');
  if (set.length === 0) {
    return;
  }
  const names = set.join(' and ');
  if (process.execve === undefined) {
    process.stderr.write(
      `Cannot run with ${names} set, which would print keys: unset ${set.length > 1 ? 'them' : 'it'}\n`,
    );
    process.exit(2);
  }
  process.stderr.write(
    `${names} ${set.length > 1 ? 'are' : 'is'} left out of the environment: the output would show keys\n`,
  );
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !telling.includes(name)));
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, words, env);
}
