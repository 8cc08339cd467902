import { expect, test } from 'vitest';
import { enPages } from '../../texts/en/pages.ts';
import { addTexts } from '../../texts/texts.ts';
import {
  BrokenJson,
  changedValues,
  fieldKindOf,
  foldedParts,
  initialValue,
  type ParameterSpec,
  problemsOf,
  searchFieldKindOf,
} from './parameter-spec.ts';

addTexts(enPages);

const spec: ParameterSpec = {
  type: 'object',
  required: ['node'],
  properties: {
    node: { type: 'string' },
    choice: { type: 'string', enum: ['a', 'b'], default: 'a' },
    metrics: { type: 'array', items: { type: 'string', enum: ['cpu', 'ram'] }, default: ['cpu'] },
    names: { type: 'array', items: { type: 'string' } },
    moves: { type: 'array', items: { type: 'object', properties: { src: { type: 'string' } } } },
    count: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
    maybe: { type: ['number', 'null'] },
    limits: { type: 'object', properties: { cpu: { type: 'number', maximum: 1, default: 0.5 } } },
    free: { type: 'object' },
  },
};

test('each kind of schema gets its field', () => {
  const kinds = Object.entries(spec.properties ?? {}).map(([name, part]) => [name, fieldKindOf(part)]);
  expect(Object.fromEntries(kinds)).toEqual({
    node: 'text',
    choice: 'choice',
    metrics: 'choices',
    names: 'texts',
    moves: 'groups',
    count: 'number',
    maybe: 'number',
    limits: 'group',
    free: 'json',
  });
});

test('texts and lists of texts with the format of a host are searched for', () => {
  const host: ParameterSpec = { type: 'string', format: 'host' };
  const kinds = [host, { type: 'array', items: host }, { type: 'string' }, { ...host, enum: ['a'] }].map(
    searchFieldKindOf,
  );
  expect(kinds).toEqual(['host', 'hosts', 'text', 'choice']);
});

test('a form starts with the defaults, and sends only values that differ from them', () => {
  const values = initialValue(spec) as Record<string, unknown>;
  expect(values).toEqual({ choice: 'a', metrics: ['cpu'], count: 2, limits: { cpu: 0.5 } });
  expect(changedValues(spec, { ...values, count: 3, node: 'x', names: undefined })).toEqual({ count: 3, node: 'x' });
});

test('names missing values, values out of range and invalid numbers', () => {
  const values = { count: 6, maybe: Number.NaN, limits: { cpu: 2 } };
  expect(problemsOf(spec, values)).toEqual(['node', 'count', 'maybe', 'limits.cpu']);
  expect(problemsOf(spec, { node: 'x', count: 1.5 })).toEqual(['count']);
});

test('broken JSON and a list with nothing ticked are errors', () => {
  const spec = {
    type: 'object',
    properties: { rules: { type: 'object' }, metrics: { type: 'array', items: { enum: ['cpu', 'memory'] } } },
  };
  expect(problemsOf(spec, { rules: new BrokenJson('{'), metrics: [] })).toEqual(['rules', 'metrics']);
  expect(problemsOf(spec, { rules: {}, metrics: ['cpu'] })).toEqual([]);
});

test('advanced parameters are separate unless required', () => {
  const further = { type: 'number', 'x-advanced': true };
  const properties = { threshold: { type: 'number' }, period: further, granularity: further };
  const { essential, advanced } = foldedParts({ required: ['granularity'], properties });
  expect(Object.keys(essential.properties ?? {})).toEqual(['threshold', 'granularity']);
  expect(Object.keys(advanced.properties ?? {})).toEqual(['period']);
});
