import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actionCatalogue } from '#libs/actions';
import { actionFacts } from '#libs/domain';
import type { ActionPlugin } from '#libs/plugin-kit';
import { createFakeCloud } from '#tests';
import { deNames } from '../../services/dashboard/texts/de/index.ts';

/** Files that may compare the type of an action with a name, each with the reason. */
const exceptions = new Map([
  ['libs/store/lists/plan-work.ts', 'reads the `duration` of `sleep`'],
  ['services/decision-engine/strategy-runner/variant-durations.ts', 'reads the `duration` of `sleep`'],
  ['services/decision-engine/replay/action-effects.ts', 'replays `nop`, the only type without effect that it supports'],
]);
/** Folders of one action type, of one strategy, which proposes its own types, and tests with their support. */
const ownTypes = /^libs\/(actions|strategies\/(?!shared))[/\w-]*\/[^/]+$|\/testing\/|\.test\.tsx?$|\/generated\//;
const types = Object.keys(actionFacts).join('|');
const comparison = new RegExp(
  `\\b(?:actionType|action_type|effect)\\b\\s*(?:={1,3}|!==|<>)\\s*'(?:${types})'|` +
    `field: 'actionType'[^}]*'(?:${types})'|case '(?:migrate|evacuate|volume_migrate|change_\\w+|shelve|nop)'`,
);

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path));
}

test('only the facts of an action type decide its treatment, so that a new type needs no change elsewhere', () => {
  const sources = ['libs', 'services'].flatMap(sourcesBelow).filter((path) => !ownTypes.test(path));
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.filter((path) => comparison.test(readFileSync(path, 'utf8')));
  expect(found.filter((path) => !exceptions.has(path))).toEqual([]);
  expect([...exceptions.keys()].filter((path) => !found.includes(path))).toEqual([]);
});

test.each(actionCatalogue)('the facts of $name agree with its parameters', ({ name, schema, revertible }) => {
  const { properties } = schema as { properties: Record<string, unknown> };
  const facts = actionFacts[name]!;
  const has = (parameter: string) => Object.hasOwn(properties, parameter);
  const isOfHost = has('resource_name') && has('state');
  expect(facts.target !== null, 'target').toBe(has('resource_id'));
  expect(facts.target === 'service' || facts.target === 'power', 'target: host').toBe(isOfHost);
  expect(facts.moves, 'moves').toBe(has('destination_node'));
  expect(facts.resizes, 'resizes').toBe(has('flavor'));
  const removes = facts.target === 'instance' && !facts.moves && revertible === 'impossible';
  expect(facts.removesInstance, 'removesInstance').toBe(removes);
});

const uuid = '11111111-2222-4333-8444-555555555555';
const cloud = createFakeCloud({ hosts: [{ name: 'a' }], servers: [{ uuid, host: 'a' }], volumes: [{ uuid }] });

test.each(actionCatalogue)('$name declares the requests that change its target', async ({ name, access }) => {
  const input = { resource_id: uuid, resource_name: 'a', state: 'disabled' };
  const rules = await (access as ActionPlugin['access'])?.({ input, cloud });
  const changes = rules?.filter(({ method }) => method !== 'GET') ?? [];
  expect(changes.length > 0).toBe(actionFacts[name]?.target !== null);
});

const rowsOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'));

test.each(Object.keys(actionFacts))('%s has a German name, and its rows in the documentation', (type) => {
  expect(deNames[type], 'services/dashboard/texts/de/names.ts').toBeTruthy();
  const isIn = (path: string) => rowsOf(path).some((row) => row.split(' | ')[0]?.includes(`\`${type}\``));
  expect(isIn('libs/actions/README.md'), 'libs/actions/README.md').toBe(true);
  expect(isIn('docs/hardening.md'), 'docs/hardening.md').toBe(true);
});
