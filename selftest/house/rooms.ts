import { files } from './source-files.ts';

/**
 * The folders from which each folder's files may import, in addition to themselves and libraries. A file belongs to the
 * listed folder with the longest path that contains it; files outside of all listed folders are refused.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    contract: '',
    common: 'contract',
    results: 'contract common',
    settings: 'contract common',
    limits: 'contract common',
    webhooks: 'contract common',
    'suites/reading': 'contract common results settings webhooks',
    'suites/session': 'contract common results settings webhooks suites/reading',
    'suites/engine': 'contract common results suites/reading suites/session',
    'suites/records': 'contract common results settings fixtures suites/reading suites/session suites/engine',
    'suites/shared':
      'contract common results settings limits fixtures suites/reading suites/session suites/engine suites/records',
    'suites/developer':
      'contract common results settings limits fixtures suites/reading suites/session suites/engine suites/records suites/shared',
    'suites/workspace':
      'contract common results settings webhooks suites/reading suites/session suites/engine suites/records suites/shared',
    'suites/recorded':
      'contract common results settings suites/session suites/engine suites/developer suites/workspace',
    'suites/run': 'contract common results settings webhooks suites/session suites/engine suites/records suites/shared',
    suites: 'fixtures settings suites/run suites/developer suites/workspace',
    fixtures: 'contract common settings fixtures/reference',
    'fixtures/reference': 'contract',
    reports: 'contract common results',
    'load/seam': 'contract limits',
    'load/judge': 'contract common limits load/seam',
    'load/scripts': 'limits load/seam load/judge',
    load: 'contract common results settings limits reports load/seam load/judge',
    cli: 'contract common results settings webhooks fixtures fixtures/reference reports load load/seam suites/session suites/records suites/shared suites/developer suites/workspace suites/recorded suites/run',
  }).map(([room, others]) => [room, others.split(' ').filter(Boolean)]),
);

/** Folders that may import anything. */
export const free: readonly string[] = ['selftest', 'tools', 'bin'];

const names = [...Object.keys(rooms), ...free].sort((a, b) => b.length - a.length);

/** The room of a file or an import; undefined: it is in none. */
export const roomOf = (path: string): string | undefined => names.find((room) => path.startsWith(`${room}/`));

/** All files that could import, whatever their ending. */
export const sources = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file) && file.includes('/'));
