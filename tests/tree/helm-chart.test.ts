import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const chart = 'deploy/helm/vigil';
const read = (path: string) => readFileSync(path, 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const defaults = parse(read(`${chart}/values.yaml`)) as Values;
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
  JSON.parse(read(`${chart}/values.schema.json`)),
);

type Values = Record<string, unknown>;

/** Paths of the refused values, each with the keyword of the schema. */
function refusals(given: Values): string[] {
  validate({ ...defaults, ...given });
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

test('the chart has the version of the package', () => {
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ apiVersion: 'v2', version, appVersion: version });
});

test('the schema takes the defaults and describes each of them', () => {
  expect(refusals({})).toEqual([]);
  const schema = JSON.parse(read(`${chart}/values.schema.json`)) as { properties: object };
  expect(Object.keys(schema.properties).filter((name) => name !== 'global')).toEqual(Object.keys(defaults));
});

test.each<[string, Values, string]>([
  ['a misspelt value', { secretname: 'other' }, ' additionalProperties'],
  ['a misspelt part of the image', { image: { repository: 'vigil', tagg: '1' } }, '/image additionalProperties'],
  ['a misspelt part of a process', { api: { ...(defaults.api as object), replica: 3 } }, '/api additionalProperties'],
  ['a misspelt part of the policies', { networkPolicy: { enable: true } }, '/networkPolicy additionalProperties'],
  ['a process without limits', { api: { replicas: 1, resources: {} } }, '/api/resources required'],
  [
    'a fraction of a process',
    { scheduler: { ...(defaults.scheduler as object), replicas: 0.5 } },
    '/scheduler/replicas type',
  ],
  ['a number as configuration', { config: { VIGIL_LIMIT: 1 } }, '/config/VIGIL_LIMIT type'],
  ['a secret in the config map', { config: { OS_PASSWORD: 'secret' } }, '/config propertyNames'],
  ['a port other than the probed one', { config: { VIGIL_PORT: '80' } }, '/config propertyNames'],
  ['a key of another program', { config: { PATH: '/bin' } }, '/config propertyNames'],
])('the schema refuses %s', (_name, given, refusal) => {
  expect(refusals(given)).toContain(refusal);
});

test('templates use only existing values', () => {
  const templates = readdirSync(`${chart}/templates`).map((name) => read(`${chart}/templates/${name}`));
  const used = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path ?? ''));
  const known = (path: string) => path.split('.').reduce<unknown>((inner, name) => (inner as Values)?.[name], defaults);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((path) => known(path) === undefined)).toEqual([]);
  const unused = Object.keys(defaults).filter((name) => !used.some((path) => path.split('.')[0] === name));
  expect(unused).toEqual([]);
});
