/** With these variables set, Node, undici and others print URLs and headers of requests, keys included. */
const debugVariables = ['NODE_DEBUG', 'DEBUG'];

/**
 * Removes the debug variables from the environment, says so, and starts the process again, since Node has already read
 * them. Every command that sends keys must call this first.
 */
export function withoutDebug(): void {
  const set = debugVariables.filter((name) => (process.env[name] ?? '') !== '');
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
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !debugVariables.includes(name)));
  const commandLine = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, commandLine, env);
}
