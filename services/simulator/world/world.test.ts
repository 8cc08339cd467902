import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkWorld, readWorld, worldSchema } from '#libs/world-file';
import { buildCloudState } from '../build-cloud-state.ts';
import { cpuSpread } from '../load/host-load.ts';
import { smallWorld } from '../testing/simulation-fixture.ts';
import { generateWorld } from './generate-world.ts';

function broken(change: (world: Record<string, unknown>) => void): unknown {
  const world = structuredClone(smallWorld()) as unknown as Record<string, unknown>;
  change(world);
  return world;
}

const first = (list: unknown) => (list as Record<string, unknown>[])[0] as Record<string, unknown>;

describe('a world file', () => {
  it('has a valid schema', () => {
    expect(new Ajv({ strict: false }).validateSchema(worldSchema)).toBe(true);
  });
  it('is accepted when valid', () => {
    expect(checkWorld(smallWorld(), 'w.json').name).toBe('small');
  });

  const faults: [what: string, change: (world: Record<string, unknown>) => void, message: string][] = [
    ['has another version', (w) => Object.assign(w, { version: 2 }), 'version: must be 1'],
    ['lacks hosts', (w) => delete w.hosts, 'field "hosts" is missing'],
    ['has an unknown field', (w) => Object.assign(first(w.hosts), { cores: 3 }), 'hosts[0]: unknown field "cores"'],
    [
      'has a text for a number',
      (w) => Object.assign(first(w.hosts), { vcpus: '8' }),
      'hosts[0].vcpus: must be integer',
    ],
    [
      'has a bad word',
      (w) => Object.assign(first(w.servers), { state: 'off' }),
      'servers[0].state: must be one of active',
    ],
    [
      'has an impossible load',
      (w) => Object.assign(first(w.servers), { load: { kind: 'steady', base: 140 } }),
      'servers[0].load.base: must be <= 100',
    ],
    [
      'names an unknown host',
      (w) => Object.assign(first(w.servers), { host: 'x' }),
      'servers[0].host: unknown host "x"',
    ],
    [
      'names an unknown flavor',
      (w) => Object.assign(first(w.servers), { flavor: 'x' }),
      'servers[0].flavor: unknown flavor',
    ],
    ['names an unknown group', (w) => Object.assign(first(w.servers), { group: 'x' }), 'unknown server group "x"'],
    [
      'has two hosts of one name',
      (w) => (w.hosts as unknown[]).push(first(w.hosts)),
      'hosts[3]: "compute-1" is duplicated',
    ],
    ['has volumes but no pool', (w) => Object.assign(w, { volumes: [{ name: 'v', size_gb: 1 }] }), 'has no pools'],
  ];
  it.each(faults)('is refused in one line: %s', (_what, change, message) => {
    let text = '';
    try {
      checkWorld(broken(change), 'w.json');
    } catch (error) {
      text = (error as Error).message;
    }
    expect(text).toContain('world file w.json');
    expect(text).toContain(message);
    expect(text).not.toContain('\n');
  });
});

describe('reading a world', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigil-world-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('accepts plain and gzipped files', async () => {
    const text = JSON.stringify(smallWorld());
    await writeFile(join(folder, 'a.json'), text);
    await writeFile(join(folder, 'b.json.gz'), gzipSync(text));
    expect(await readWorld(join(folder, 'a.json'))).toEqual(await readWorld(join(folder, 'b.json.gz')));
  });

  it('reports the error of an invalid file', async () => {
    await writeFile(join(folder, 'c.json'), '{"format": ');
    await expect(readWorld(join(folder, 'c.json'))).rejects.toThrow(/c\.json: not JSON/);
    await expect(readWorld('no-such-world')).rejects.toThrow(
      'world file no-such-world: no such file, and no bundled world',
    );
    await expect(readWorld(folder)).rejects.toThrow(/EISDIR/);
  });

  it('finds the built-in small world: uneven, with room for moves', async () => {
    const { state, ledger } = buildCloudState(await readWorld('azure2017-40'));
    expect([state.hosts.size, state.servers.size]).toEqual([40, 778]);
    const spread = cpuSpread(state.hosts.values(), 9 * 3600, 1);
    expect(spread.stddev).toBeGreaterThan(20);
    for (const host of state.hosts.values()) {
      const { total, allocationRatio } = host.inventory.VCPU;
      expect(ledger.usage(host).VCPU).toBeLessThanOrEqual((total * allocationRatio) / 2);
      expect(ledger.usage(host).MEMORY_MB).toBeLessThan(host.inventory.MEMORY_MB.total);
    }
  });

  it('finds the built-in large world: the whole snapshot', async () => {
    const { state, ledger } = buildCloudState(await readWorld('azure2017-800'));
    expect([state.hosts.size, state.servers.size]).toEqual([800, 15_195]);
    const vcpus = [...state.hosts.values()].reduce((sum, host) => sum + ledger.usage(host).VCPU, 0);
    expect(vcpus).toBe(42_219);
  });
});

describe('a generated world', () => {
  it('is valid, depends only on its options, and fits', () => {
    const options = { seed: 4, hosts: 10, instances: 80, zones: 2, groups: 3 };
    const world = generateWorld(options);
    expect(generateWorld(options)).toEqual(world);
    expect(generateWorld({ ...options, seed: 5 })).not.toEqual(world);
    const { state, ledger } = buildCloudState(checkWorld(world, 'generated'));
    expect([state.hosts.size, state.servers.size]).toEqual([10, 80]);
    expect([...state.groups.values()].map((group) => group.members.size)).toEqual([3, 3, 3]);
    expect([...state.aggregates.values()].map((aggregate) => aggregate.name)).toEqual(['zone-1', 'zone-2']);
    for (const host of state.hosts.values()) {
      expect(ledger.misfit(host, { VCPU: 0, PCPU: 0, MEMORY_MB: 0, DISK_GB: 0, VGPU: 0 })).toBeNull();
      expect(ledger.usage(host).MEMORY_MB).toBeLessThanOrEqual(host.inventory.MEMORY_MB.total);
    }
  });

  it('has volumes and bare metal on request, which change nothing else', () => {
    const options = { seed: 4, hosts: 3, instances: 10 };
    const plain = generateWorld(options);
    const world = generateWorld({ ...options, volumes: 20, baremetal: 2 });
    expect(world.hosts).toEqual(plain.hosts);
    expect(world.servers.map(({ volumes: _volumes, ...server }) => server)).toEqual(plain.servers);
    const { state } = buildCloudState(checkWorld(world, 'generated'));
    expect([...state.nodes.values()].map((node) => node.host?.name)).toEqual(['compute-1', 'compute-2']);
    const volumes = [...state.volumes.values()];
    expect(volumes.filter((volume) => volume.attachedTo !== null)).toHaveLength(10);
    expect(new Set(volumes.map((volume) => volume.pool)).size).toBe(3);
    for (const pool of state.pools) expect(pool.freeGb).toBeGreaterThan(0);
  });

  it('is more uneven with more skew', () => {
    const most = (skew: number) => {
      const { state } = buildCloudState(generateWorld({ hosts: 10, instances: 100, skew }));
      return Math.max(...[...state.hosts.values()].map((host) => host.servers.size));
    };
    expect(most(1)).toBeGreaterThan(most(0));
  });
});
