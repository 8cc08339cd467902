import { expect, it } from 'vitest';
import { encodeWorld } from './encode-world.ts';
import { hostOverheads } from './host-overheads.ts';
import { decodeWorld } from './read-world.ts';
import { emptyLoad, type RecordedLoad, recordedPercent, sampleOf } from './recorded-load.ts';
import { packFile, packSection } from './sections.ts';
import type { WorldFile } from './world-file.ts';
import { WorldFileError } from './world-file.ts';

function worldOf(servers: number, hosts = 2): WorldFile {
  return {
    ...{ format: 'vigil-simulator-world', version: 1, name: 'w' },
    hosts: Array.from({ length: hosts }, (_, row) => ({
      ...{ hostname: `host-${row}`, vcpus: 16, memory_mb: 65_536, disk_gb: 100 },
    })),
    flavors: [{ name: 'small', vcpus: 2, ram_mb: 4096, disk_gb: 10 }],
    servers: Array.from({ length: servers }, (_, row) => ({
      ...{ name: `vm-${row}`, flavor: 'small', host: `host-${row % hosts}` },
    })),
  };
}

/** Uniform numbers in [0, 1) from a seed above 0 (xorshift32). */
function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A daily wave with noise of ±2 % for each server, as the simulated cloud has it. */
function waves(world: WorldFile, steps: number): RecordedLoad {
  const random = seededNumbers(7);
  const rows = { servers: world.servers.length, hosts: world.hosts.length };
  const load = emptyLoad(rows, { startMs: Date.UTC(2026, 0, 5), stepSeconds: 300, steps });
  for (const [column, samples] of Object.entries(load.columns)) {
    const [swing, noise] = column.endsWith('Cpu') ? [20, 4] : [2, 0.2];
    samples.forEach((_, at) => {
      const [row, step] = [Math.floor(at / steps), at % steps];
      const wave = 30 + swing * Math.sin((2 * Math.PI * step) / 288 + row);
      samples[at] = sampleOf(wave + noise * (random() - 0.5), load.percentStep);
    });
  }
  return load;
}

it('keeps the inventory and every sample, also missing ones, and gives the same bytes again', () => {
  const world = worldOf(50);
  const load = waves(world, 100);
  load.columns.serverCpu.fill(255, 120, 140);
  const bytes = encodeWorld(world, load);
  const read = decodeWorld(bytes, 'w');

  expect(encodeWorld(world, load).equals(bytes)).toBe(true);
  expect(encodeWorld(read.world, read.load!).equals(bytes)).toBe(true);
  expect(read.world).toMatchObject({ ...world, recording: { start: '2026-01-05T00:00:00.000Z', steps: 100 } });
  expect(read.load).toEqual(load);
  expect(recordedPercent(read.load!, 'serverCpu', 1, 20)).toBeNaN();
  expect(recordedPercent(read.load!, 'serverCpu', 1, 50)).toBe(load.columns.serverCpu[150]! / 2);
});

it('has a week of 500 servers in the share of 20 MB that 20,000 servers have', () => {
  const world = worldOf(500, 25);
  const bytes = encodeWorld(world, waves(world, 2016), 20_000_000 / 40);

  expect(bytes.length).toBeLessThan(20_000_000 / 40);
  expect(decodeWorld(bytes, 'w').world.recording?.percent_step).toBeLessThanOrEqual(1);
}, 60_000);

it('becomes coarser before it becomes too large', () => {
  const world = worldOf(50);
  const load = waves(world, 500);
  const [fine, coarse] = [encodeWorld(world, load), encodeWorld(world, load, 1)];
  const read = decodeWorld(coarse, 'w').load!;

  expect(coarse.length).toBeLessThan(fine.length * 0.7);
  expect(read.percentStep).toBe(2);
  expect(Math.abs(recordedPercent(read, 'serverCpu', 3, 9) - recordedPercent(load, 'serverCpu', 3, 9))).toBeLessThan(
    1.01,
  );
});

/** Damaged padding at the end of a compressed stream changes nothing. */
function readOrRefused(bytes: Buffer): unknown {
  try {
    return decodeWorld(bytes, 'w');
  } catch (error) {
    if (error instanceof WorldFileError) return 'refused';
    throw error;
  }
}

it('refuses every truncated and every damaged file with a reason', () => {
  const world = worldOf(3);
  const bytes = encodeWorld(world, waves(world, 20));
  const whole = decodeWorld(bytes, 'w');
  for (let length = 1; length < bytes.length; length += 7)
    expect(() => decodeWorld(bytes.subarray(0, length), 'w'), String(length)).toThrow(WorldFileError);
  for (let at = 0; at < bytes.length; at += 3) {
    const damaged = Buffer.from(bytes);
    damaged[at] = damaged[at]! ^ 0x55;
    expect(['refused', whole], `byte ${at}`).toContainEqual(readOrRefused(damaged));
  }
});

const inventory = (world: object) => packSection({ tag: 'INVT', content: Buffer.from(JSON.stringify(world)) });
const recording = { start: '2026-01-05T00:00:00Z', step_seconds: 300, steps: 4, anonymised: false };
function block(change: (head: Buffer) => void, samples: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(1, 8);
  change(head);
  return packSection({ tag: 'LOAD', content: Buffer.concat([head, Buffer.alloc(samples)]) });
}
const later = Buffer.from(encodeWorld(worldOf(1), waves(worldOf(1), 2)));
later.writeUInt32LE(9, 8);
const huge = inventory(worldOf(1));
huge.writeUInt32LE(0xffff_ffff, 8);

it.each([
  ['another version', later, 'it has version 9 of the format; this program reads version 1'],
  ['an unknown section', packFile([packSection({ tag: 'HACK', content: Buffer.alloc(1) })]), 'section HACK is unknown'],
  ['no inventory', packFile([]), 'it has no inventory'],
  ['two inventories', packFile([inventory(worldOf(1)), inventory(worldOf(1))]), 'two inventories'],
  ['a section of 4 GB', packFile([huge]), 'section INVT has 4294967295 bytes; at most 134217728 are possible'],
  ['a load without a recording', packFile([inventory(worldOf(1)), block(() => undefined, 4)]), 'has no recording'],
  [
    'too many steps',
    packFile([inventory({ ...worldOf(1), recording: { ...recording, steps: 1e6 } })]),
    'recording.steps: must be <= 10080',
  ],
  [
    'a block of another size',
    packFile([inventory({ ...worldOf(1), recording }), block(() => undefined, 5)]),
    'load: a block has another size than it says',
  ],
  [
    'a row that is not there',
    packFile([inventory({ ...worldOf(1), recording }), block((head) => head.writeUInt32LE(1, 4), 4)]),
    'load: serverCpu has more rows than the inventory',
  ],
  [
    'a column that is not there',
    packFile([inventory({ ...worldOf(1), recording }), block((head) => head.writeUInt8(9, 0), 4)]),
    'load: there is no column 9',
  ],
])('refuses a file with %s', (_, bytes, reason) => {
  expect(() => decodeWorld(bytes, 'f.world')).toThrow(WorldFileError);
  expect(() => decodeWorld(bytes, 'f.world')).toThrow(reason);
});

it('knows the load of a host beside its servers', () => {
  const world = worldOf(2, 1);
  const load = emptyLoad({ servers: 2, hosts: 1 }, { startMs: 0, stepSeconds: 300, steps: 2 });
  load.columns.serverCpu.set([100, 255, 100, 255]);
  load.columns.serverMemory.set([100, 100, 100, 100]);
  load.columns.hostCpu.set([40, 255]);
  load.columns.hostMemory.set([20, 20]);

  // 2 × 50 % of 2 of 16 CPUs; 2 × 50 % of 4 GiB.
  expect([...hostOverheads(world, load).cpu]).toEqual([20 - 12.5, Number.NaN]);
  expect(hostOverheads(world, load).memoryMb[0]).toBeCloseTo(6553.6 - 4096, 1);
  const off = { ...world, baremetal_nodes: [{ name: 'node', host: 'host-0', power_state: 'power off' as const }] };
  expect([...hostOverheads(off, load).cpu]).toEqual([20 - 12.5, 0]);
});
