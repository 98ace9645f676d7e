import { settings } from '../../contract/settings.ts';

/** What .env.example holds: every setting with its meaning, its values and its default, commented out. */
export function envExample(): string {
  const entries = settings.map(({ name, meaning, values, default: value }) =>
    [`# ${meaning}${values ? `: ${values.join(', ')}` : ''}`, `# ${name}=${value ?? ''}`].join('\n'),
  );
  return [
    '# Copy this file to .env and fill in what a run needs; the environment wins over it. With neither BASE_URL nor',
    '# WORKSPACE_API_URL, npm test judges the reference deployment that comes with the suite.',
    '',
    entries.join('\n\n'),
    '',
  ].join('\n');
}
