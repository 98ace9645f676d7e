// Hooks for Dredd, which loads this file: the requests of its transactions, and the schemas that its parser does not read.
const { readFileSync, writeFileSync } = require('node:fs');
const hooks = require('hooks');

const { keyHeader, limitedKey, ids, schemas, closedToLimitedKey, unknownId } = JSON.parse(
  readFileSync(process.env.DREDD_PLAN, 'utf8'),
);
const made = new Map();

const valueAt = (body, field) => field.split('.').reduce((value, name) => value?.[name], body);
const templateOf = (transaction) => transaction.origin.resourceName;
const callOf = (transaction) => `${transaction.request.method} ${templateOf(transaction)}`;

/** Causes each documented refusal: a malformed body, no key, a key without permission, an unknown id. */
const refusals = {
  401: ({ request }) => {
    delete request.headers[keyHeader.name];
  },
  403: (transaction) => {
    transaction.skip = !closedToLimitedKey.includes(callOf(transaction));
    transaction.request.headers[keyHeader.name] = keyHeader.prefix + limitedKey;
  },
  404: () => undefined,
  400: (transaction) => {
    transaction.skip = transaction.request.method !== 'POST';
    transaction.request.body = '{';
  },
};

hooks.beforeEach((transaction) => {
  const { expected } = transaction;
  const status = Number(expected.statusCode);
  const schema = schemas[`${callOf(transaction)} ${status}`];
  if (schema !== undefined) {
    expected.bodySchema = schema;
  }
  if (status < 300) {
    transaction.skip = false;
    const known = ids.find(({ path }) => templateOf(transaction).startsWith(`${path}/`));
    transaction.fullPath = transaction.fullPath.replace(unknownId, made.get(known?.path) ?? unknownId);
    return;
  }
  transaction.skip = refusals[status] === undefined;
  refusals[status]?.(transaction);
});

// Every success is accepted, since the document does not distinguish 200 from 201.
hooks.beforeEachValidation((transaction) => {
  const { expected, real } = transaction;
  if (Number(expected.statusCode) < 300 && real.statusCode < 300) {
    expected.statusCode = String(real.statusCode);
  }
});

hooks.afterEach((transaction) => {
  const creating = ids.find(({ path }) => path === templateOf(transaction));
  if (creating === undefined || transaction.request.method !== 'POST' || !(transaction.real?.statusCode < 300)) {
    return;
  }
  try {
    made.set(creating.path, String(valueAt(JSON.parse(transaction.real.body), creating.field)));
  } catch {
    // A body that is not JSON fails its schema.
  }
});

hooks.afterAll((transactions) => {
  const failed = transactions.filter(({ skip, results }) => !skip && results?.valid !== true);
  const failures = failed.map(({ name, results }) => {
    const fields = Object.entries(results?.fields ?? {}).filter(([, { valid }]) => !valid);
    return `${name}: ${fields.map(([field]) => field).join(', ') || 'no answer'}`;
  });
  writeFileSync(process.env.DREDD_REPORT, JSON.stringify(failures));
});
