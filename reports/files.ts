/** The report files of a run, each with what it is for. Those that people open come first. */
export const reportFiles = {
  'conformance.html': 'people: a self-contained page',
  'summary.md': 'the page of a CI job',
  'junit.xml': 'the test list of a CI system',
  'conformance.json': 'programs, and `npm run compare -- BEFORE AFTER`',
  'exchanges.har': 'evidence: the calls',
  'deliveries.har': 'evidence: the webhook deliveries received',
  'profile.json': "the next run's `PROFILE`",
} as const;

export type ReportFile = keyof typeof reportFiles;
