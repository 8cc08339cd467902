import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfiguredPlugins } from '#libs/plugin-kit';
import { loadRegistry } from './load-registry.ts';

let folder: string;

async function plugin(name: string, text: string): Promise<string> {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'index.mjs'), text);
  return join(folder, name);
}

const strategy = (name: string, goal: string) => `export const plugins = [{
  manifest: { kind: 'strategy', name: '${name}', displayName: 'S', goal: '${goal}', description: 'd',
    parameters: { type: 'object', properties: {} }, metrics: [], models: ['compute'], planner: 'resource', needsCompleteModel: false },
  run: async () => { throw new Error('not run here'); },
}];`;
const goal = `export const plugins = [{ kind: 'goal', name: 'own_goal', displayName: 'Own', indicators: [], globalEfficacy: () => [] }];`;

let broken: string;
let needsGoal: string;
let ownGoal: string;
let taken: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-plugins-'));
  broken = await plugin('broken', 'export const plugins = [;');
  needsGoal = await plugin('needs-goal', strategy('own_strategy', 'own_goal'));
  ownGoal = await plugin('own-goal', goal);
  taken = await plugin('taken', strategy('dummy', 'dummy'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('what works is loaded in any order, what does not is reported with the reason', async () => {
  const missing = join(folder, 'missing');

  const { registry, faults } = await loadConfiguredPlugins([broken, needsGoal, taken, ownGoal, missing], loadRegistry, {
    strict: false,
  });

  expect(registry.strategy('own_strategy').manifest.goal).toBe('own_goal');
  expect(registry.strategies().filter(({ manifest }) => manifest.name === 'dummy')).toHaveLength(1);
  expect(faults.map((fault) => fault.plugin)).toEqual([broken, taken, missing]);
  expect(faults[0]?.reason).toContain('can not be loaded');
  expect(faults[1]?.reason).toContain('same name');
  expect(faults[2]?.reason).toContain('no folder');
});

test('nothing is reported when all is well', async () => {
  const { faults } = await loadConfiguredPlugins([needsGoal, ownGoal], loadRegistry, { strict: false });
  expect(faults).toEqual([]);
});

test('strict: the first that is broken is refused', async () => {
  await expect(loadConfiguredPlugins([ownGoal, broken], loadRegistry, { strict: true })).rejects.toThrow(/broken/);
});
