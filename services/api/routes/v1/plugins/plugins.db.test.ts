import { expect, it } from 'vitest';
import { runCli } from '../../../../cli/main.ts';
import { fault, seedCatalogue, useTestApi } from '../../../testing/test-api.ts';

const api = await useTestApi();
await seedCatalogue(api.store);
await api.store.db.actionDescriptions.replaceAll([{ actionType: 'announce', description: 'd' }]);
await api.store.db.loadedPlugins.report('watcher-decision-engine', 'host-a', [
  { kind: 'planner', name: 'resource', origin: 'vigil' },
  { kind: 'strategy', name: 'dummy', origin: '@example/plugin', description: 'Says hello.' },
  { kind: 'data_source', name: 'own_source', origin: '@example/plugin' },
  { kind: 'collector', name: 'storage', origin: '@example/plugin' },
]);
await api.store.db.pluginFaults.report('watcher-applier', 'host-a', [{ plugin: './broken', reason: 'no export' }]);
const url = await api.listen();

async function vigil(...args: string[]): Promise<string> {
  let out = '';
  const code = await runCli(args, {
    env: { VIGIL_API_URL: url },
    out: (text) => {
      out += text;
    },
  });
  expect(code).toBe(0);
  return out;
}

it('lists loaded plugins by kind and name, and broken ones with the reason', async () => {
  const { plugins, faults } = (await api.get('/v1/plugins')).json();
  expect(
    plugins.filter(({ name }: { name: string }) =>
      ['dummy', 'announce', 'resource', 'own_source', 'storage'].includes(name),
    ),
  ).toMatchObject([
    { kind: 'goal', name: 'dummy', serves: null },
    { kind: 'strategy', name: 'dummy', description: 'Says hello.', serves: 'dummy', origin: '@example/plugin' },
    { kind: 'planner', name: 'resource', description: null, origin: 'vigil' },
    { kind: 'action', name: 'announce', display_name: null },
    { kind: 'data_source', name: 'own_source', origin: '@example/plugin' },
    { kind: 'collector', name: 'storage', origin: '@example/plugin' },
  ]);
  expect(faults).toEqual([
    {
      service: 'watcher-applier',
      host: 'host-a',
      plugin: './broken',
      reason: 'no export',
      at: expect.stringMatching(/\+00:00$/),
    },
  ]);
});

it('requires the permission to list services', async () => {
  const refused = await api.get('/v1/plugins', { 'X-Roles': 'member' });
  expect(fault(refused)).toMatchObject({ status: 403 });
});

it('vigil plugins shows both as tables, and as JSON', async () => {
  const table = await vigil('plugins');
  expect(table).toMatch(/strategy\s+dummy/);
  expect(table).toMatch(/Failed to load:[\s\S]*host-a\s+\.\/broken\s+no export/);
  expect(JSON.parse(await vigil('plugins', '--json')).faults).toHaveLength(1);
});

it('vigil plugin list shows a fault once, with all processes that report it, within 80 columns', async () => {
  const plugin = `/srv/plugins/${'deep/'.repeat(8)}broken`;
  const reason = `index.mjs cannot be loaded: syntax error at index.mjs:2:25: Unexpected token ';' ${'and more '.repeat(9)}`;
  for (const service of ['watcher-applier', 'watcher-decision-engine'])
    await api.store.db.pluginFaults.report(service, 'host-b', [{ plugin, reason }]);
  let out = '';
  await runCli(['plugin', 'list'], {
    env: { VIGIL_API_URL: url },
    columns: 80,
    out: (text) => {
      out += text;
    },
  });

  const faults = out.slice(out.indexOf('Failed to load:'));
  expect(faults.split(plugin)).toHaveLength(2);
  expect(faults.split('index.mjs cannot be loaded')).toHaveLength(2);
  expect(faults.replaceAll(/\s+/g, ' ')).toContain('watcher-applier on host-b, watcher-decision-engine on host-b');
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

it('vigil strategy show has the description of the manifest', async () => {
  expect(await vigil('strategy', 'show', 'dummy')).toMatch(/description +Says hello\./i);
});
