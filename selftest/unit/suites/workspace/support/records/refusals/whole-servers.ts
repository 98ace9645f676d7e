import { type Body, first, strictly, text } from './cases.ts';
import type { RefusalCase } from './unusual.ts';

const ofEnum = (type: string, field: string, value: string, others: string): string =>
  `JSON parse error: Cannot deserialize value of type \`com.acme.api.${type}\` from String "${value}": not one of the values accepted for Enum class: [${others}]; nested exception is com.fasterxml.jackson.databind.exc.MismatchedInputException (through reference chain: com.acme.api.LeadRequest["${field}"])`;

/** Refusals as whole servers word them: each more than one sentence, or the second of several. */
export const wholeServerRefusals: readonly RefusalCase[] = [
  [
    'Spring Boot, that quotes a short value and names the field in another clause',
    ({ languageCode: code }) =>
      code === undefined
        ? {
            errors: [
              {
                codes: ['NotNull.leadRequest.languageCode', 'NotNull.languageCode', 'NotNull'],
                defaultMessage: 'must not be null',
                objectName: 'leadRequest',
                field: 'languageCode',
                rejectedValue: null,
                bindingFailure: false,
                code: 'NotNull',
              },
            ],
          }
        : code === 'DE'
          ? null
          : ofEnum('LanguageCode', 'languageCode', String(code), 'DE, FR'),
    { languageCode: 'DE' },
  ],
  [
    'ASP.NET Core, of a field that is named like a place',
    ({ location }) =>
      location === undefined
        ? {
            type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
            title: 'One or more validation errors occurred.',
            errors: { Location: ['The Location field is required.'] },
          }
        : null,
    { location: text },
  ],
  [
    'Contentful, of a container',
    ({ fields }) =>
      fields === undefined
        ? {
            sys: { type: 'Error', id: 'ValidationFailed' },
            message: 'Validation error',
            details: {
              errors: [{ name: 'required', path: ['fields'], details: 'The property "fields" is required here' }],
            },
          }
        : null,
    { fields: { name: text } },
  ],
  [
    'Notion, of a container',
    ({ properties }) =>
      properties === undefined
        ? 'body failed validation: body.properties should be defined, instead was `undefined`.'
        : null,
    { properties: { name: text } },
  ],
  [
    'Hasura, of a container that is named like a type',
    ({ object }) =>
      object === undefined
        ? {
            errors: [
              { message: "missing required field 'object'", extensions: { path: '$.args', code: 'bad_request' } },
            ],
          }
        : null,
    { object: { name: text } },
  ],
  [
    'a server, of a field that is named like the record and holds a text',
    ({ object }) => {
      const { lead } = Object(object) as Body;
      return object === undefined
        ? "missing required field 'object'"
        : lead === undefined
          ? 'Not-NULL violation. null value in column "lead" of relation "leads" violates not-null constraint'
          : typeof lead === 'string'
            ? null
            : "unexpected dict for string at 'lead'";
    },
    { object: { lead: text } },
  ],
  strictly(
    'gRPC-Gateway',
    'sales_region',
    'invalid CreateLeadRequest.SalesRegion: value length must be at least 1 runes',
    (names) => `proto: (line 1:2): unknown field "${first(names)}"`,
  ),
  strictly(
    'Zod, whose path is empty',
    'website',
    { issues: [{ code: 'invalid_type', received: 'undefined', path: ['website'], message: 'Required' }] },
    (names) => ({
      name: 'ZodError',
      issues: names.map((name) => ({
        code: 'unrecognized_keys',
        keys: [name],
        path: [],
        message: `Unrecognized key(s) in object: '${name}'`,
      })),
    }),
  ),
  strictly(
    'Ajv in German, in which a word of another language is an English one',
    'zielUrl',
    'Ungültige Anfrage: muss das erforderliche Attribut zielUrl enthalten',
    (names) =>
      `Ungültige Anfrage: ${names.map((name) => `darf keine zusätzlichen Attribute haben (${name})`).join('; ')}`,
  ),
  [
    'JSON:API, by pointers',
    ({ data }) => {
      const { type, attributes } = Object(data) as Body;
      const { name } = Object(attributes) as Body;
      const [pointer, detail] =
        data === undefined
          ? ['/', 'The document must have a member "data"']
          : type !== 'leads'
            ? ['/data/type', 'data.type must be "leads"']
            : ['/data/attributes/name', 'must be a non-empty string'];
      const isTaken = type === 'leads' && typeof name === 'string';
      return isTaken ? null : { errors: [{ status: '400', title: 'Invalid document', detail, source: { pointer } }] };
    },
    { data: { type: 'leads', attributes: { name: text } } },
  ],
];
