import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createPluginRegistry, globalEfficacyOf, validateIndicators } from '#libs/plugin-kit';
import { assertWellBehaved, assessDataSource, createTestWorld, runStrategy } from '#libs/plugin-kit/testing';
import { announce } from './walk-through/announce.js';
import { announcement } from './walk-through/announcement.js';
import { emptyHosts } from './walk-through/goal.js';
import { oneByOne } from './walk-through/planner.js';
import { rackSensors } from './walk-through/rack-sensors.js';
import { repairs } from './walk-through/repairs.js';
import { headroom } from './walk-through/scoring-engine.js';

const plugins = [announce, announcement, emptyHosts, oneByOne, rackSensors, repairs, headroom];
const snapshot = createTestWorld({ hosts: [{ hostname: 'a' }, { hostname: 'b' }] });

it('the files of the walk-through are those of docs/plugins.md', () => {
  const page = readFileSync('docs/plugins.md', 'utf8');
  const shown = new Map(
    [...page.matchAll(/^```js\n(\/\/ (\S+)\n.*?)^```$/gms)].map(([, text = '', name = '']) => [name, text]),
  );
  shown.delete('index.js');
  const folder = fileURLToPath(new URL('./walk-through/', import.meta.url));

  expect([...shown.keys()].sort()).toEqual(readdirSync(folder).sort());
  for (const [name, text] of shown) expect(readFileSync(`${folder}${name}`, 'utf8'), name).toBe(text);
});

it('all plugins of the walk-through are sound', () => {
  const registry = createPluginRegistry();
  registry.add(plugins, { label: 'walk-through', moduleUrl: 'test:walk-through', exportName: 'plugins' });
  expect(registry.loaded()).toHaveLength(plugins.length);
});

it('its strategy works with its action type, and with its planner and goal', async () => {
  await assertWellBehaved(announcement, { snapshot, plugins });
  await expect(runStrategy(announcement, { snapshot })).rejects.toThrow(/no action type announce is loaded/);

  const manifest = { ...announcement.manifest, planner: 'one_by_one', goal: 'empty_hosts' };
  const run: typeof announcement.run = async (context) => ({
    ...(await announcement.run(context)),
    indicators: { empty_hosts_count: 2 },
  });
  const others = plugins.filter((plugin) => plugin !== announcement);
  await assertWellBehaved({ manifest, run }, { snapshot, plugins: others });
});

it('its planner makes a chain, its goal measures, its scoring engine scores', async () => {
  const { actions } = await runStrategy(announcement, { snapshot, plugins });
  let last = 0;
  const newUuid = () => `uuid-${++last}`;
  const limits = { parallelMigrations: 1, parallelPerSourceHost: 1, parallelPerDestinationHost: 1 };
  const planned = oneByOne.plan([...actions, ...actions], { snapshot, limits, newUuid });

  expect(planned.map(({ parents }) => parents)).toEqual([[], ['uuid-1']]);
  validateIndicators(emptyHosts, { empty_hosts_count: 2 });
  expect(globalEfficacyOf(emptyHosts, { empty_hosts_count: 2 })).toMatchObject([{ name: 'empty_hosts', value: 2 }]);
  expect(await headroom.calculateScore('[3, 4]')).toBe('0.25');
});

it('its data source has a host of the simulated cloud', async () => {
  const world = gunzipSync(readFileSync('services/simulator/worlds/azure2017-40.json.gz')).toString();
  const hosts = [...world.matchAll(/"hostname":"([^"]+)"/g)].map(([, name = '']) => name);
  expect(hosts.length).toBeGreaterThan(0);

  const { faults, values } = await assessDataSource(rackSensors, { hosts, env: { RACK_CELSIUS: '31' } });
  expect(faults).toEqual([]);
  expect([...(values.get('host_outlet_temp')?.values() ?? [])]).toEqual([31]);
});
