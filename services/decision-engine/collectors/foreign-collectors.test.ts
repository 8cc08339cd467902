import { expect, test } from 'vitest';
import { buildBaremetalSnapshot } from '#libs/cluster-model';
import { silentLogger as logger, VigilError } from '#libs/domain';
import { type CollectorPlugin, createPluginRegistry } from '#libs/plugin-kit';
import { CollectorFailedError } from './errors.ts';
import { collectThrough, foreignCollectors } from './foreign-collectors.ts';

const origin = { label: 'plugin x', moduleUrl: 'file:///x', exportName: 'plugins' };
const nodes = [
  {
    uuid: 'n1',
    name: 'rack-1',
    powerState: 'power on',
    targetPowerState: null,
    maintenance: false,
    maintenanceReason: null,
    computeNodeId: null,
  },
];
const read = async () => ({ nodes: [...nodes] as never[], takenAtMs: 5 });

function collect(run: CollectorPlugin<'baremetal'>['collect'], options: { signal?: AbortSignal } = {}) {
  const registry = createPluginRegistry();
  registry.add([{ kind: 'collector', name: 'baremetal', description: 'd', collect: run }], origin);
  const deps = { clock: { now: () => 7 }, logger, env: { RACK: 'r' }, timeLimitMs: 50 };
  const { baremetal, compute } = foreignCollectors(registry, deps);
  expect(compute).toBeUndefined();
  return collectThrough(baremetal, { read, build: buildBaremetalSnapshot, ...options });
}

test('changes the data of the cloud, or returns something else', async () => {
  const changed = await collect(async ({ readCloud, env }) => {
    const cloud = await readCloud();
    return {
      ...cloud,
      nodes: cloud.nodes.map((node) => ({ ...node, maintenance: true })),
      gaps: [`${env.RACK} is hidden`],
    };
  });
  expect(changed).toMatchObject({ nodes: [{ uuid: 'n1', maintenance: true }], complete: false, gaps: ['r is hidden'] });

  const other = await collect(async ({ clock }) => ({ nodes: [], takenAtMs: clock.now() }));
  expect(other).toMatchObject({ nodes: [], takenAtMs: 7, complete: true });
});

test.each<[string, CollectorPlugin<'baremetal'>['collect'], RegExp]>([
  ['throws', () => Promise.reject(new TypeError('rack is undefined')), /baremetal model failed: rack is undefined/],
  ['never ends', () => new Promise(() => {}), /no response within 0.05 s/],
  ['answers nothing', async () => undefined as never, /no usable nodes, takenAtMs/],
  ['answers rows that are none', async () => ({ nodes: [null] as never[], takenAtMs: 1 }), /no model can be built/],
])('one that %s fails the collection with a reason', async (_what, run, reason) => {
  const collecting = collect(run);
  await expect(collecting).rejects.toThrow(CollectorFailedError);
  await expect(collecting).rejects.toThrow(reason);
});

test('a refusal of the cloud keeps its type, so that it may be waited for', async () => {
  class CloudUnavailableError extends VigilError {
    readonly code = 'away';
    readonly category = 'retryable';
  }
  const collecting = collect(() => Promise.reject(new CloudUnavailableError('Ironic is unavailable')));
  await expect(collecting).rejects.toThrow(CloudUnavailableError);
});

test('ends when the process stops', async () => {
  const stopping = new AbortController();
  const collecting = collect(() => new Promise(() => {}), { signal: stopping.signal });
  stopping.abort(new Error('the process stops'));
  await expect(collecting).rejects.toThrow('the process stops');
});
