import { expect, it } from 'vitest';
import { summarizePlugins } from './plugin-summary.ts';

const strategy = { kind: 'strategy', name: 'even_out', origin: '/srv/even-out' };
const builtIn = { kind: 'strategy', name: 'dummy', origin: 'vigil' };

it('counts plugins, names their parts, and reports each fault once', () => {
  const action = { kind: 'data_source', name: 'rack_sensors', origin: '/srv/even-out' };
  const fault = { plugin: './broken', reason: 'index.js cannot be loaded: no licence' };

  expect(summarizePlugins([builtIn, strategy, action, strategy], [fault, fault])).toEqual([
    'Plugins: 1 loaded, 1 not loaded',
    '  /srv/even-out: strategy even_out, data source rack_sensors',
    '  not loaded: ./broken: index.js cannot be loaded: no licence',
  ]);
  expect(summarizePlugins([strategy], [])[0]).toBe('Plugins: 1 loaded');
});

it('has nothing to say without plugins', () => {
  expect(summarizePlugins([builtIn], [])).toEqual([]);
});
