import { settings } from '../../contract/settings.ts';

/** The content of .env.example: every setting with its meaning, its values and its default, commented out. */
export function envExample(): string {
  const entries = settings.map(({ name, meaning, values, default: value }) =>
    [`# ${meaning}${values ? ` (${values.join(', ')})` : ''}`, `# ${name}=${value ?? ''}`].join('\n'),
  );
  return [
    '# Copy this file to .env and fill in what a run needs. The environment takes precedence over it. Without BASE_URL and',
    '# WORKSPACE_API_URL, npm test judges the reference deployment that comes with the suite.',
    '',
    entries.join('\n\n'),
    '',
  ].join('\n');
}
