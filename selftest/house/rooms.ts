import { posix } from 'node:path';
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
    'suites/session': 'contract common results settings webhooks',
    'suites/engine': 'contract common results suites/session',
    'suites/shared': 'contract common results settings limits fixtures suites/session suites/engine',
    'suites/developer': 'contract common results limits fixtures suites/session suites/engine suites/shared',
    'suites/workspace': 'contract common results settings webhooks fixtures suites/session suites/engine suites/shared',
    'suites/run': 'contract common results settings webhooks suites/session suites/engine suites/shared',
    suites: 'suites/run',
    fixtures: 'contract',
    'fixtures/reference': 'contract',
    reports: 'contract common results',
    'load/seam': 'contract limits',
    'load/scripts': 'contract limits load/seam',
    load: 'contract common results settings limits reports load/seam',
    cli: 'contract common results settings webhooks fixtures/reference reports load load/seam suites/session suites/engine suites/shared suites/developer suites/workspace suites/run',
  }).map(([room, others]) => [room, others.split(' ').filter(Boolean)]),
);

/**
 * The folders of each room that has some, and from which others of that room each may import; `.` is the room's own
 * folder. What they may import from other rooms is the room's.
 */
export const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  common: {
    '.': 'redaction',
    redaction: '.',
  },
  limits: {
    judge: '',
    procedure: 'judge',
  },
  webhooks: {
    events: 'signature signature/read',
    inbox: 'events signature',
    receiver: 'signature signature/read',
    signature: 'signature/capture signature/code signature/read signature/search signature/special',
    'signature/capture': 'signature',
    'signature/code': 'signature signature/read',
    'signature/read': 'signature',
    'signature/search': 'signature signature/read signature/special',
    'signature/special': 'signature signature/read',
  },
  'suites/session': {
    '.': 'evidence ledger pace transport',
    evidence: '. transport',
    ledger: 'reading',
    pace: '. evidence reading ledger',
    reading: '.',
    transport: '.',
  },
  'suites/shared': {
    '.': 'ids lists',
    'clean-up': '. ids lists',
    complaints: '',
    ids: '. clean-up lists',
    limits: '. refusals',
    lists: '. clean-up',
    refusals: '. complaints unknown-ids',
    'unknown-ids': '. ids lists',
  },
  'suites/developer': {
    '.': 'support support/bodies support/budgets support/calls support/data support/filters support/keys support/lives support/records support/rotation',
    support: '',
    'support/bodies': '',
    'support/budgets': 'support/bodies support/calls support/keys',
    'support/calls': 'support/bodies support/data support/keys support/rotation',
    'support/data': 'support/keys',
    'support/filters': 'support/data support/keys',
    'support/keys': 'support/bodies',
    'support/lives': 'support/budgets support/keys support/rotation',
    'support/records': 'support/bodies support/calls support/data support/filters',
    'support/rotation': 'support/bodies support/data support/keys',
  },
  'suites/workspace': {
    '.': 'support support/budgets support/changes support/deletions support/events support/permissions support/records',
    support: '',
    'support/budgets': 'support support/changes support/records',
    'support/changes': 'support support/records',
    'support/deletions': 'support support/changes support/events support/records',
    'support/events': 'support support/deletions support/records',
    'support/permissions': 'support support/changes support/deletions support/events support/records',
    'support/records': 'support support/changes support/deletions support/events',
  },
  'fixtures/reference': {
    '.': 'choices developer faults server shapes workspace',
    choices: '. choices/developer choices/shared choices/workspace developer server workspace',
    'choices/developer': '. choices/shared developer makers server',
    'choices/shared': '. makers server',
    'choices/workspace': '. choices/shared makers server workspace',
    developer: '. developer/actions server',
    'developer/actions': 'developer server',
    faults: '. developer faults/developer faults/workspace workspace',
    'faults/developer': '. choices/developer developer developer/actions faults/shared makers server',
    'faults/shared': '. makers server',
    'faults/workspace': '. choices/shared choices/workspace faults/shared makers server workspace',
    makers: '. developer server workspace',
    server: '.',
    shapes: '. choices/shared choices/workspace developer makers server workspace',
    workspace: '. server',
  },
  reports: {
    '.': 'html',
    console: '.',
    html: '.',
  },
  load: {
    report: 'runner verdict',
    runner: '',
    verdict: 'runner',
  },
  cli: {
    '.': 'har load plan reference test',
    har: '.',
    load: '.',
    plan: '. test',
    reference: '.',
    test: '.',
  },
};

/** Folders that may import anything, each with its own folders. */
export const free: Readonly<Record<string, readonly string[]>> = {
  selftest: ['.', 'e2e', 'house', 'k6', 'proof', 'unit'],
  tools: ['.', 'bench', 'docs', 'hostile', 'limiters', 'matrix', 'mutants', 'openapi', 'peers'],
};

/**
 * Folders beside each other that import each other both ways: what creates, changes, deletes and announces records of
 * the workspace API needs the others to show its effect, and clean-up looks for records as the search for ids does.
 */
export const bothWays: readonly string[] = [
  'suites/shared: clean-up, ids',
  'suites/shared: clean-up, lists',
  'suites/workspace: support/changes, support/records',
  'suites/workspace: support/deletions, support/events',
  'suites/workspace: support/deletions, support/records',
  'suites/workspace: support/events, support/records',
];

const names = [...Object.keys(rooms), ...Object.keys(free)].sort((a, b) => b.length - a.length);

/** The room of a file or an import; undefined: it is in none. */
export const roomOf = (path: string): string | undefined => names.find((room) => path.startsWith(`${room}/`));

/** A file's folder within its room. */
export const folderOf = (path: string): string => posix.relative(roomOf(path) ?? '', posix.dirname(path)) || '.';

/** All files that could import, whatever their ending. */
export const sources = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file) && file.includes('/'));
