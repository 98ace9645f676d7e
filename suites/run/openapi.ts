import { resolve } from 'node:path';
import { CannotRun, messageOf } from '../../common/cannot-run.ts';
import { readText } from '../../common/files.ts';
import { escapeToken, isObject, isRows, type JsonObject, parseJson, scalarText } from '../../common/json.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { type BodiesFile, type Shape, shapeName } from '../../settings/bodies-file.ts';
import type { Template } from '../records/likely-bodies.ts';
import { propertiesOf, templateOf } from './documented-body.ts';

/**
 * Reads the OpenAPI documents that the setting OPENAPI names, separated by commas: the bodies that they show, or whose
 * schemas they have, and the places of ids and rows. Throws CannotRun, with one line that names the file, where one
 * cannot be read.
 */
export async function readDocuments(setting: string): Promise<BodiesFile> {
  const files = setting.split(',').map((file) => file.trim());
  const all = await Promise.all(files.filter((file) => file !== '').map(readDocument));
  if (all.every(({ shapes }) => Object.keys(shapes).length === 0)) {
    throw new CannotRun(
      `Cannot use OPENAPI ${setting}: no path in it is that of a documented call, such as /v1/agents or /api/v1/ads/campaigns`,
    );
  }
  return {
    bodies: Object.assign({}, ...all.map(({ bodies }) => bodies)),
    shapes: Object.assign({}, ...all.map(({ shapes }) => shapes)),
  };
}

async function readDocument(file: string): Promise<BodiesFile> {
  // Loaded where a document is read: most runs have none.
  const [{ bundleFromString, createConfig }, { sample }] = await Promise.all([
    import('@redocly/openapi-core'),
    import('openapi-sampler'),
  ]);
  const cannot = (why: string): CannotRun => new CannotRun(`Cannot use OPENAPI ${file}: ${why}`.replace(/\s+/g, ' '));
  const source = readText(file, `Cannot use OPENAPI ${file}`);
  const config = await createConfig({});
  const bundled = await bundleFromString({ source, absoluteRef: resolve(file), config, dereference: true }).catch(
    (error: unknown) => {
      throw cannot(messageOf(error));
    },
  );
  const document: unknown = bundled.bundle.parsed;
  const [problem] = bundled.problems.filter(({ severity }) => severity === 'error');
  if (problem !== undefined) {
    throw cannot([problem.message, problem.location[0]?.pointer].filter((part) => part).join(', at '));
  }
  if (!isObject(document) || !/^3\./.test(scalarText(document.openapi) ?? '')) {
    throw cannot('it is no OpenAPI 3 document');
  }
  try {
    return documentedIn(document, (schema) =>
      sample(schema, { skipReadOnly: true, quiet: true, enablePatterns: true }),
    );
  } catch (error) {
    // Its schemas may have no end.
    throw cannot(messageOf(error));
  }
}

/** What a document says, once all references in it are resolved. */
function documentedIn(document: JsonObject, sample: (schema: JsonObject) => unknown): BodiesFile {
  const operations = endpoints.flatMap((endpoint) => {
    const operation = operationOf(document, endpoint);
    return operation === undefined ? [] : [{ endpoint, operation }];
  });
  const bodies = operations.flatMap(({ endpoint, operation }): [string, Template][] => {
    const media = mediaIn(operation.requestBody);
    const shown = media && shownIn(media);
    const schema = schemaIn(media);
    const body = shown ?? sample(schema);
    return isObject(body) ? [[endpoint.id, templateOf(endpoint.id, body, schema, shown !== undefined)]] : [];
  });
  const shapes = new Map<string, Shape>();
  for (const { endpoint, operation } of operations) {
    const name = shapeName(endpoint.path);
    shapes.set(name, { ...shapes.get(name), ...shapeIn(endpoint, operation) });
  }
  return { bodies: Object.fromEntries(bodies), shapes: Object.fromEntries(shapes) };
}

/**
 * The operation of a documented call. Its path may begin with that of a server, and lack what all paths of the API
 * begin with: a proxy in front of the server may add it, and routers of ASP.NET take any case.
 */
function operationOf(document: JsonObject, { method, path }: Endpoint): JsonObject | undefined {
  const operations = Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([own, item]) => {
    const operation = isObject(item) ? item[method.toLowerCase()] : undefined;
    const plain = own
      .replace(/\{[^}]+\}/g, ':id')
      .replace(/\/$/, '')
      .toLowerCase();
    return isObject(item) && isObject(operation)
      ? [{ operation, plain, bases: ['', ...[operation, item, document].flatMap(serverPaths)] }]
      : [];
  });
  const found =
    operations.find(({ plain, bases }) => bases.some((base) => base + plain === path)) ??
    operations.find(({ plain }) => plain !== path && path.replace(/^(\/api)?\/v1/, '') === plain);
  return found?.operation;
}

const serverPaths = ({ servers }: JsonObject): readonly string[] =>
  (isRows(servers) ? servers : []).map(({ url }) =>
    (scalarText(url) ?? '').replace(/^https?:\/\/[^/]*/, '').replace(/\/$/, ''),
  );

/** The JSON of a request or an answer. */
function mediaIn(holder: unknown): JsonObject | undefined {
  const content = isObject(holder) && isObject(holder.content) ? holder.content : {};
  const media = content['application/json'] ?? Object.entries(content).find(([type]) => /json|\/\*/.test(type))?.[1];
  return isObject(media) ? media : undefined;
}

const schemaIn = (media: JsonObject | undefined): JsonObject => (isObject(media?.schema) ? media.schema : {});

/** The first example of a body that is one, as JSON or as the text of one; undefined: none is shown. */
function shownIn({ example, examples }: JsonObject): JsonObject | undefined {
  const named = isObject(examples) ? Object.values(examples).map((one) => (isObject(one) ? one.value : one)) : [];
  return [example, ...named].map((one) => (typeof one === 'string' ? parseJson(one) : one)).find(isObject);
}

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
