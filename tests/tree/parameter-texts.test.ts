import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { metricCatalogue } from '#libs/domain';
import { goalCatalogue } from '#libs/goals';
import { strategyCatalogue } from '#libs/strategies';
import { translatedTitle, translatedValue } from '../../services/dashboard/components/parameter-texts.ts';
import type { ParameterSpec } from '../../services/dashboard/pages/audit-wizard/parameter-spec.ts';
import { deDescriptions } from '../../services/dashboard/texts/de/descriptions.ts';
import { de, deNames } from '../../services/dashboard/texts/de/index.ts';
import { descriptionOf, nameOf, setCatalogue, setDescriptions } from '../../services/dashboard/texts/texts.ts';
import { useEnglishTexts } from '../browser/texts.ts';

// The language is one for all tests of a worker.
beforeEach(() => setCatalogue('de', de, deNames));
afterEach(useEnglishTexts);

/** Strategies for tests of an installation, and values that are the same in every language. */
const untranslated = { strategies: /^dummy|^actuator$/, values: /^(p\d+|)$/ };

/** Names of parameters and of their values that have no German text, with the path of the parameter. */
function missingIn(spec: ParameterSpec, path: string): string[] {
  return Object.entries(spec.properties ?? {}).flatMap(([name, part]) => {
    const at = `${path}.${name}`;
    const values = [...(part.enum ?? []), ...(part.items?.enum ?? [])].map(String);
    return [
      ...(translatedTitle(name, part) ? [] : [at]),
      ...values
        .filter((value) => !untranslated.values.test(value) && !translatedValue(value, part))
        .map((value) => `${at}=${value}`),
      ...missingIn(part, at),
      ...missingIn(part.items ?? {}, at),
    ];
  });
}

test('every parameter of a strategy and every choice has a German text', () => {
  const manifests = strategyCatalogue.map(({ manifest }) => manifest);
  const named = manifests.filter(({ name }) => !untranslated.strategies.test(name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.flatMap(({ name, parameters }) => missingIn(parameters as ParameterSpec, name))).toEqual([]);
});

/** Descriptions in a schema without a translation there, also those of its groups and lists. */
function descriptionsIn(spec: ParameterSpec): string[] {
  const parts = [...Object.values(spec.properties ?? {}), ...(spec.items ? [spec.items] : [])];
  const isTranslated = Boolean(spec['x-texts']?.de?.description);
  return [...(spec.description && !isTranslated ? [spec.description] : []), ...parts.flatMap(descriptionsIn)];
}

test('every description of a strategy, its parameters and its indicators has a German text, and none is left over', () => {
  const english = new Set([
    ...goalCatalogue.flatMap(({ indicators }) => indicators.map(({ description }) => description)),
    ...strategyCatalogue.flatMap(({ manifest: { description, parameters } }) => [
      description,
      ...descriptionsIn(parameters as ParameterSpec),
    ]),
  ]);
  setDescriptions(deDescriptions);
  expect([...english].filter((text) => descriptionOf(text) === text)).toEqual([]);
  expect(Object.keys(deDescriptions).filter((text) => !english.has(text))).toEqual([]);
});

const sourcesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(folder, path), 'utf8') }));
const isTest = ({ path }: { path: string }) => path.endsWith('.test.ts');
/** Strategies whose parameters Watcher declares and ignores. */
const ignoring = /^dummy_with_(resize|scorer)$/;

test('every parameter of a strategy has an effect and a test', () => {
  const sources = sourcesBelow('libs/strategies');
  const missing = strategyCatalogue.flatMap(({ manifest: { name, parameters } }) => {
    const own = new RegExp(`^libs/strategies/(${name}/(?!parameters\\.ts)|shared/|search-based/)`);
    const isNamed = (parameter: string, among: typeof sources) =>
      among.some(({ text }) => new RegExp(`\\b${parameter}\\b`).test(text));
    const product = sources.filter((source) => own.test(source.path) && !isTest(source));
    const tests = sources.filter(isTest);
    return Object.keys((parameters as ParameterSpec).properties ?? {}).flatMap((parameter) => [
      ...(isNamed(parameter, product) ? [] : [`${name}.${parameter} has no effect`]),
      ...(isNamed(parameter, tests) ? [] : [`${name}.${parameter} has no test`]),
    ]);
  });
  expect(sources.length).toBeGreaterThan(100);
  expect(missing.filter((text) => !ignoring.test(text.split('.')[0]!))).toEqual([]);
});

test('every metric has a German name', () => {
  const metrics = Object.keys(metricCatalogue);
  expect(metrics.length).toBeGreaterThan(10);
  expect(metrics.filter((name) => nameOf(name) === undefined)).toEqual([]);
});

test('every goal and strategy has a German name', () => {
  const names = [
    ...goalCatalogue.map(({ name }) => `goal.${name}`),
    ...strategyCatalogue.map(({ manifest }) => `strategy.${manifest.name}`),
  ];
  expect(names.filter((name) => nameOf(name) === undefined)).toEqual([]);
});

test('a parameter without a text is found, in groups and lists too', () => {
  const named = { 'x-texts': { de: { title: 'Hosts', values: { odd: 'Ungerade' } } } };
  const properties = { new_words: { ...named, enum: ['odd', 'even_ones'] }, other_words: { type: 'string' } };
  const spec: ParameterSpec = {
    properties: { group: { ...named, properties }, list: { ...named, items: { properties } } },
  };
  expect(missingIn(spec, 's')).toEqual([
    's.group.new_words=even_ones',
    's.group.other_words',
    's.list.new_words=even_ones',
    's.list.other_words',
  ]);
});
