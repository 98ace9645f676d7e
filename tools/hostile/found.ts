/** What trying found, and what was done about it. */
export const found: readonly (readonly [what: string, mended: string])[] = [
  [
    'The key echoed in the name of a header line stood in exchanges.har',
    'names of header lines are redacted like their values, in answers and in deliveries',
  ],
  ['Statuses below 100 tripped an assertion of the HTTP client', 'they are an answer that is not HTTP'],
  [
    '4 MiB in every second answer took a run to 309 MiB',
    'large bodies are read one at a time, into one buffer; when they have come to 8 MiB in all, answers have to stay below 256 KiB',
  ],
  ['NODE_DEBUG and DEBUG printed URLs with keys', 'commands that send keys begin anew without them, and say so'],
  [
    'A run took 460 MiB, 406 MiB against a deployment in another process',
    'one locale of the data generator, one worker, a small young generation, reports made one after the other, buffers used again by the redactor',
  ],
  [
    'Cleaning up gave up on what a killed run had just sent',
    'what could not be deleted is tried twice more, unless the deployment is out of reach',
  ],
  [
    'A REPORTS_DIR below /proc kept a run from ever ending: making the folder, in Node, goes round in circles there',
    'folders are made one by one',
  ],
  [
    'A key pasted into WRITES, SEED or TIMEOUT_MS, short or beside other words, was quoted back',
    'what looks like a key is shortened wherever it stands in the value',
  ],
  [
    'A link laid into the folder of reports under the name of a temporary file was followed',
    'temporary files are new ones, or are not written',
  ],
  [
    'Calls that drive a large limit took so much room that the evidence of others was given up, and clauses on every response passed',
    'of calls that are alike, so many are kept; what came but once is given up last',
  ],
  [
    'A key that a recorded answer shows before it is used stood in the reports of npm run har, and a method with a line end wrote a line of the printed script',
    'all secrets of a recording are learnt first; an entry with such a method is left out',
  ],
  [
    'A hundred thousand values in every second answer took a run to 928 MiB: steps remember answers, and these what was parsed of them',
    'answers of more than 4 KiB are kept packed, in 8 MiB at most, and the heap grows by two fifths at a time',
  ],
  [
    'The key a thousand times in each answer took a run to 555 MiB: each redacted text was a sum of thousands of pieces',
    'what is left of a text is joined into one; decoded stretches share their room',
  ],
  [
    'Three hundred random texts in each answer kept a run busy for more than three minutes: each was learnt as a secret, and looked for in all others',
    'of the texts that an answer shows, sixteen are learnt, and runs are looked up as numbers',
  ],
  [
    'Ninety thousand empty lists, or records named by id, were each made a candidate for the main list',
    'a thousand lists are looked at, and maps are read without a copy',
  ],
  [
    'An id of half a surrogate pair, and a Location that cannot be decoded, broke the checks that met them',
    'ids go into URLs in one place, which takes any text; an id that no URL can hold is none',
  ],
  [
    'Header lines of deliveries were kept without a bound, and bodies up to 32 MiB: 257 MiB',
    'they count with the bodies, 16 MiB in all',
  ],
  [
    'Fifty deliveries of a hundred thousand values kept a run busy for 106 s at 265 MiB: where signatures of two webhooks are compared, both deliveries were read again for every pair with equal bodies',
    'each is read once, a thousand pairs are compared, and bodies of more than 10,000 values are hashed, not parsed',
  ],
  [
    'Four hundred deliveries of 19,000 values took a run to 278 MiB, of 900 digests to 330 MiB',
    'payloads are let go where names of events alone are compared; a hundred values of a delivery may be its signature',
  ],
  [
    'A hundred thousand fields in every second answer, with all that may be used up, took a run to 276 MiB',
    'an exchange that takes a quarter of the room by itself is kept in outline, and where answers are large the heap grows by a tenth at a time',
  ],
  [
    'A text of 250 KB of one letter in every second answer held a whole run for more than three minutes, and a name of 50 pairs of a letter and an underscore its receiver: patterns that look for fields and names took long on them',
    'of a refusal 16,000 characters are read, of each text 2,000, and the readers of refusals and of names stand in the tests of growth; the pattern of names takes each underscore one way',
  ],
  [
    'An answer of thousands of texts to the creation of a key: each was compared with all others to find the secret',
    'they are put in order, and neighbours are compared',
  ],
  [
    'Twelve thousand numbers of 18 digits in every second answer took a run to 421 MiB: the few that were kept of an answer were parts of its text, and held all of it',
    'digits that no number holds are copied out of the text',
  ],
  [
    'A hundred thousand fields in every second answer took it to 252 MiB: what was freed stayed with the process',
    'the C library gives it back (MALLOC_TRIM_THRESHOLD_ of npm test): 208 MiB',
  ],
];
