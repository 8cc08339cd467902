import type { InjectOptions } from 'fastify';
import { type Idents, makeValue, mutate } from './json-from-schema.ts';
import { type Chooser, oddBodies, oddTexts } from './odd-values.ts';

type Schema = Record<string, unknown>;
type Method = NonNullable<InjectOptions['method']>;

/** The parts of an OpenAPI document that requests are made from. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** One operation of the document. */
export interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** Names that the requests may use: values of properties, and identifiers by collection. */
export interface KnownThings {
  idents: Idents;
  byCollection: Readonly<Record<string, readonly string[]>>;
  /** Headers of nearly every request. */
  headers?: Readonly<Record<string, string>>;
}

const otherMethods: readonly Method[] = ['GET', 'PUT', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'DELETE'];
const versions = ['infra-optim 1.0', 'infra-optim 1.3', 'infra-optim 1.7', 'infra-optim latest', 'compute 2.1'];
const oddVersions = [
  'infra-optim 2.0',
  'infra-optim 1.999',
  'infra-optim',
  '1.4',
  'infra-optim 1.x',
  ',,,',
  'x'.repeat(2000),
];
const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/JSON',
  ';;;',
  'x',
];
const otherHeaders: Readonly<Record<string, readonly string[]>> = {
  accept: ['*/*', 'application/json', 'text/html', 'application/xml', ';;', 'application/*;q=0', 'x'.repeat(2000)],
  'x-show-deleted': ['True', 'false', 'maybe'],
  'x-auth-token': ['member', 'reader', 'service', 'unknown', '', 'x'.repeat(2000)],
  'x-roles': ['admin', 'member', '', 'admin,member', ',,'],
  'idempotency-key': ['k1', 'k2', '', 'a b', 'x'.repeat(300)],
  'if-match': ['*', '"x"', 'W/"x"', '', ',,,'],
  'x-openstack-request-id': ['req-00000000-0000-4000-8000-000000000000', 'x'],
  origin: ['http://dashboard', 'null', '%%%'],
  host: ['h:1', '', 'a b', '[::1]:9322', 'x'.repeat(500)],
  'x-forwarded-host': ['evil.example'],
  'content-encoding': ['gzip'],
  expect: ['100-continue'],
};

/** A request that follows the document, or violates it in one or several ways. */
export function makeRequest(chooser: Chooser, document: ApiDocument, known: KnownThings): InjectOptions {
  const path = chooser.pick(Object.keys(document.paths));
  const operations = document.paths[path] ?? {};
  const documented = chooser.pick(Object.keys(operations));
  const isOdd = chooser.once(10);
  const method = isOdd ? chooser.pick(otherMethods) : (documented.toUpperCase() as Method);
  const operation = operations[documented];
  const body = operation?.requestBody ?? (isOdd ? { content: { 'application/json': { schema: {} } } } : undefined);
  const payload = body && makeBody(chooser, body.content['application/json']?.schema ?? {}, document, known);
  return {
    method,
    // The injecting library parses text after two slashes as a host.
    url: `/${makePath(chooser, path, known).replace(/^\/+/, '')}${makeQuery(chooser, operation, known)}`,
    headers: { ...(chooser.once(20) ? {} : known.headers), ...makeHeaders(chooser, payload !== undefined) },
    ...(payload === undefined ? {} : { payload }),
  };
}

function makePath(chooser: Chooser, path: string, known: KnownThings): string {
  const usual = known.byCollection[path.split('/')[2] ?? ''] ?? [];
  const ident = usual.length > 0 && !chooser.once(4) ? chooser.pick(usual) : chooser.pick(oddTexts);
  const filled = path.replaceAll(/\{\w+\}/g, chooser.once(20) ? '%zz%00' : encoded(ident));
  if (chooser.once(40)) return filled.replace('/v1', '');
  return chooser.once(40) ? `${filled}/${chooser.pick(['', 'x', 'detail', '.json'])}` : filled;
}

function makeQuery(chooser: Chooser, operation: Operation | undefined, known: KnownThings): string {
  const documented = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const parts = documented
    .filter(() => chooser.once(4))
    .map(({ name, schema }) => {
      const value = chooser.once(3) ? chooser.pick(oddTexts) : makeValue(chooser, schema, {}, known.idents, name);
      return `${name}=${encoded(String(value))}`;
    });
  if (chooser.once(20)) parts.push(`${encoded(chooser.pick(oddTexts))}=${encoded(chooser.pick(oddTexts))}`);
  if (chooser.once(20)) parts.push('limit=1', 'limit=2');
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function makeHeaders(chooser: Chooser, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!chooser.once(3)) headers['openstack-api-version'] = chooser.pick(chooser.once(10) ? oddVersions : versions);
  if (hasBody) headers['content-type'] = chooser.once(12) ? chooser.pick(contentTypes) : 'application/json';
  for (const [name, values] of Object.entries(otherHeaders)) {
    if (chooser.once(25)) headers[name] = chooser.pick(values);
  }
  return headers;
}

function makeBody(chooser: Chooser, schema: Schema, document: ApiDocument, known: KnownThings): string {
  if (chooser.once(12)) return chooser.pick(oddBodies);
  let value = makeValue(chooser, schema, document.components.schemas, known.idents);
  while (chooser.once(3)) value = mutate(chooser, value);
  return JSON.stringify(value) ?? '';
}

/** Percent-encoded. Lone surrogates, which have no encoding, as the bytes that they would be. */
function encoded(text: string): string {
  return /\p{Surrogate}/u.test(text) ? '%ED%A0%80' : encodeURIComponent(text);
}
