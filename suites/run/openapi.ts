import { CannotRun } from '../../common/cannot-run.ts';
import { escapeToken, isObject, isRows, type JsonObject, scalarText } from '../../common/json.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { type Shape, type Shapes, shapeName } from '../../settings/shapes.ts';
import { knownValue, nounReferredTo, type Template } from '../records/likely-bodies.ts';

/** What the deployment's own documents say where the two documents are silent. */
interface Documented {
  /** By call, the body that a document shows, or that its schema makes. */
  readonly bodies: Readonly<Record<string, Template>>;
  readonly shapes: Shapes;
}

/**
 * Reads the OpenAPI documents that the setting OPENAPI names, separated by commas. Throws CannotRun, with one line that
 * names the file, where one cannot be read.
 */
export async function readDocuments(setting: string): Promise<Documented> {
  const files = setting.split(',').map((file) => file.trim());
  const all = await Promise.all(files.filter((file) => file !== '').map(readDocument));
  return {
    bodies: Object.assign({}, ...all.map(({ bodies }) => bodies)),
    shapes: Object.assign({}, ...all.map(({ shapes }) => shapes)),
  };
}

async function readDocument(file: string): Promise<Documented> {
  // Loaded where a document is read: most runs have none.
  const [{ bundle, createConfig }, { sample }] = await Promise.all([
    import('@redocly/openapi-core'),
    import('openapi-sampler'),
  ]);
  const cannot = (why: string): CannotRun => new CannotRun(`Cannot use OPENAPI ${file}: ${why}`.replace(/\s+/g, ' '));
  const bundled = await bundle({ ref: file, config: await createConfig({}), dereference: true }).catch(
    (error: unknown) => {
      throw cannot(error instanceof Error ? error.message : 'it cannot be read');
    },
  );
  const document: unknown = bundled.bundle.parsed;
  const [problem] = bundled.problems.filter(({ severity }) => severity === 'error');
  if (problem !== undefined) {
    throw cannot([problem.message, problem.location[0]?.pointer].filter((part) => part).join(', at '));
  }
  if (!isObject(document) || !/^3\.[01]/.test(scalarText(document.openapi) ?? '') || !isObject(document.paths)) {
    throw cannot('it is no OpenAPI 3.0 or 3.1 document');
  }
  return documentedIn(document, (schema) => sample(schema, { skipReadOnly: true, quiet: true }));
}

type Sample = (schema: JsonObject) => unknown;

/** What a document says, once all references in it are resolved. */
function documentedIn(document: JsonObject, sample: Sample): Documented {
  const operations = endpoints.flatMap((endpoint) => {
    const operation = operationOf(document, endpoint);
    return operation === undefined ? [] : [{ endpoint, operation }];
  });
  const bodies = operations.flatMap(({ endpoint, operation }): [string, Template][] => {
    const media = mediaIn(operation.requestBody);
    const body = media && exampleOf(media, sample);
    return media && isObject(body) ? [[endpoint.id, templateOf(endpoint.id, body, media)]] : [];
  });
  const shapes = new Map<string, Shape>();
  for (const { endpoint, operation } of operations) {
    const name = shapeName(endpoint.path);
    shapes.set(name, { ...shapes.get(name), ...shapeIn(endpoint, operation) });
  }
  return { bodies: Object.fromEntries(bodies), shapes: Object.fromEntries(shapes) };
}

/** The operation of a documented call: its path may begin with that of a server. */
function operationOf(document: JsonObject, { method, path }: Endpoint): JsonObject | undefined {
  const servers = Array.isArray(document.servers) ? document.servers : [];
  const bases = ['', ...servers.map((server) => (isObject(server) ? basePath(server.url) : ''))];
  for (const [own, item] of Object.entries(isObject(document.paths) ? document.paths : {})) {
    const plain = own.replace(/\{[^}]+\}/g, ':id').replace(/\/$/, '');
    const operation = isObject(item) ? item[method.toLowerCase()] : undefined;
    if (isObject(operation) && bases.some((base) => base + plain === path)) {
      return operation;
    }
  }
  return undefined;
}

const basePath = (url: unknown): string =>
  typeof url === 'string' ? url.replace(/^https?:\/\/[^/]*/, '').replace(/\/$/, '') : '';

/** The JSON of a request or an answer. */
function mediaIn(holder: unknown): JsonObject | undefined {
  const content = isObject(holder) && isObject(holder.content) ? holder.content : {};
  const media = content['application/json'] ?? Object.entries(content).find(([type]) => /json/.test(type))?.[1];
  return isObject(media) ? media : undefined;
}

const schemaIn = (media: JsonObject | undefined): JsonObject => (isObject(media?.schema) ? media.schema : {});

/** A body by the document's example or, where it shows none, by its schema. */
function exampleOf(media: JsonObject, sample: Sample): unknown {
  const [named] = isObject(media.examples) ? Object.values(media.examples) : [];
  const shown = media.example ?? (isObject(named) ? named.value : undefined);
  return shown ?? (isObject(media.schema) ? sample(media.schema) : undefined);
}

/**
 * A body as a template: what differs from record to record, such as words, addresses, times and ids of the run, is put
 * in where the body has fields for it.
 */
function templateOf(call: string, body: JsonObject, media: JsonObject): Template {
  const schema = schemaIn(media);
  const template = filledIn(call, body, schema, showsValues(media)) as Template;
  return JSON.stringify(template).includes('{{run}}') ? template : withWords(template, schema);
}

/**
 * A value of a body with the words for the fields in it. A field that refers to a record is left out where its id is
 * made from the schema, and not shown: no id is invented.
 */
function filledIn(call: string, value: unknown, schema: JsonObject, isShown: boolean): unknown {
  const isShownHere = isShown || showsValues(schema);
  if (Array.isArray(value)) {
    const items = isObject(schema.items) ? schema.items : {};
    return value.map((item) => filledIn(call, item, items, isShownHere));
  }
  if (!isObject(value)) {
    return value;
  }
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      const property = properties[name] ?? {};
      const likely = knownValue(call, name);
      if (isText(likely) && /^\{\{\w+_id\}\}$/.test(likely)) {
        return [[name, likely]];
      }
      if (nounReferredTo(name) !== null && !isShownHere && !showsValues(property)) {
        return [];
      }
      const isFixed = property.enum !== undefined || property.const !== undefined || property.pattern !== undefined;
      const isWord = !isFixed && isText(field) && isText(likely) && likely.includes('{{');
      return [[name, isWord ? likely : filledIn(call, field, property, isShownHere)]];
    }),
  );
}

/** Whether a document shows values for what a schema or a body describes: then none is made up. */
const showsValues = ({ example, examples, default: usual, enum: choices, const: only }: JsonObject): boolean =>
  [example, examples, usual, choices, only].some((shown) => shown !== undefined);

/** A body with the words of the run behind its first free text. */
function withWords(value: JsonObject, schema: JsonObject): JsonObject {
  const properties = propertiesOf(schema);
  const entries = Object.entries(value);
  const at = entries.findIndex(([name, field]) => isFreeText(field, properties[name]));
  const inner = entries.findIndex(([, field]) => isObject(field));
  return Object.fromEntries(
    entries.map(([name, field], index): [string, unknown] => {
      const isInside = at === -1 && index === inner && isObject(field);
      return [name, index === at ? `${field} {{run}}` : isInside ? withWords(field, properties[name] ?? {}) : field];
    }),
  );
}

/** Whether a text may hold the words by which the run finds its records. */
const isFreeText = (value: unknown, { enum: choices, const: only, pattern, format }: JsonObject = {}): boolean =>
  isText(value) && !value.includes('{{') && [choices, only, pattern, format].every((rule) => rule === undefined);

const isText = (value: unknown): value is string => typeof value === 'string';

/** Where the answers of a call show rows and ids, as the schema of its success has them. */
function shapeIn({ method, path }: Endpoint, { responses }: JsonObject): Shape {
  const [, success] = Object.entries(isObject(responses) ? responses : {}).find(([status]) => /^2/.test(status)) ?? [];
  const schema = schemaIn(mediaIn(success));
  if (method === 'GET' && !path.includes(':id')) {
    const lists = listsIn(schema);
    const [only] = lists;
    return only !== undefined && lists.length === 1 ? { rows: only } : {};
  }
  const id = method === 'POST' && !path.includes(':id') ? idIn(schema) : undefined;
  return id === undefined ? {} : { id: `/${escapeToken(id)}` };
}

/** The pointers of the lists of objects that a schema has, outside of rows. */
function listsIn(schema: JsonObject, pointer = '', depth = 0): readonly string[] {
  if (isObject(schema.items) && Object.keys(propertiesOf(schema.items)).length > 0) {
    return [pointer];
  }
  const properties = depth < mostDepth ? Object.entries(propertiesOf(schema)) : [];
  return properties.flatMap(([name, property]) => listsIn(property, `${pointer}/${escapeToken(name)}`, depth + 1));
}

/** The field of a created record that its schema calls the only one that the deployment sets, where none is `id`. */
function idIn(schema: JsonObject, depth = 0): string | undefined {
  const properties = Object.entries(propertiesOf(schema));
  if (properties.some(([name]) => name === 'id') || depth > mostDepth) {
    return undefined;
  }
  const set = properties.filter(
    ([, { readOnly, type, format }]) =>
      readOnly === true && (type === 'string' || type === 'integer') && !/date|time/.test(scalarText(format) ?? ''),
  );
  const inner = properties.map(([, property]) => idIn(property, depth + 1)).find((name) => name !== undefined);
  return set.length === 1 ? set[0]?.[0] : inner;
}

const mostDepth = 4;

/** The properties of an object, those of all that it is made of included. */
function propertiesOf(schema: JsonObject): Record<string, JsonObject> {
  const parts = [schema.allOf, schema.oneOf, schema.anyOf].flatMap((some) => (isRows(some) ? some : []));
  const own = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const properties = own.filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
  return Object.assign({}, ...parts.map(propertiesOf), Object.fromEntries(properties));
}
