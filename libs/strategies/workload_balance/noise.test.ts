import { describe, expect, it } from 'vitest';
import { coolDown } from '#libs/cluster-model';
import { silentLogger } from '#libs/domain';
import { executeStrategy, type MetricsReader, validateParameters } from '#libs/plugin-kit';
import { createTestWorld, movesOf } from '#libs/plugin-kit/testing';
import { workloadBalanceStrategy } from './strategy.ts';

const hostCount = 10;
const period = 300;
const threshold = 40;

/** Uniform in [0, 1) by cycle and row. */
function noise(cycle: number, row: number): number {
  const mixed = Math.imul((cycle * 197 + row * 6151 + 29) ^ 0x9e3779b9, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

/** Percentages of instance `row` in a cycle of `period` seconds. */
type Load = (row: number, cycle: number) => number;

/** Instances on hosts by row, with a history of one sample each `period`. */
async function audit(hostOf: readonly number[], cycle: number, load: Load) {
  const snapshot = createTestWorld({
    hosts: Array.from({ length: hostCount }, (_, row) => ({ hostname: `h${row}`, vcpus: 40 })),
    instances: hostOf.map((host, row) => ({ name: `vm${row}`, host: `h${host}`, vcpus: 8 })),
  });
  const metrics: MetricsReader = {
    hosts: async () => new Float64Array(hostCount).fill(Number.NaN),
    instances: async (_, { endsSecondsAgo = 0 }) =>
      Float64Array.from(hostOf, (_host, row) => load(row, cycle - endsSecondsAgo / period)),
  };
  const parameters = validateParameters(workloadBalanceStrategy.manifest.parameters, { threshold });
  return executeStrategy(workloadBalanceStrategy as never, {
    ...{ snapshot: coolDown(snapshot, []), metrics, parameters, seed: 1, nowMs: 0, log: silentLogger },
    signal: new AbortController().signal,
  });
}

describe('workload_balance on a load that varies', () => {
  it('leaves its hosts alone in 100 audits after it has relieved them', async () => {
    const level = (row: number) => 30 + ((row * 37) % 40);
    const load: Load = (row, cycle) => level(row) * (0.95 + 0.1 * noise(cycle, row));
    const hostOf = Array.from({ length: 38 }, (_, row) => row % hostCount);
    const moves: number[] = [];
    for (let cycle = 3; cycle < 112; cycle += 1) {
      const { actions } = await audit(hostOf, cycle, load);
      const made = movesOf(actions);
      for (const { instance, to } of made) hostOf[Number(instance.slice(2))] = Number(to.slice(1));
      moves.push(made.length);
    }
    expect(moves[0]).toBeGreaterThan(0);
    expect(moves.slice(9)).toEqual(moves.slice(9).map(() => 0));
  });

  it('leaves a host alone that was at the threshold for one to three periods', async () => {
    const hostOf = [0, 0, 0, 1];
    const risesAt = 10;
    const load: Load = (_row, cycle) => (cycle >= risesAt ? 90 : 20);
    for (const cycle of [risesAt, risesAt + 1, risesAt + 2]) {
      const { actions, report } = await audit(hostOf, cycle, load);
      expect(actions).toEqual([]);
      expect(report.emptyBecause).toBe('no host has stayed at the threshold of 40 %');
      expect(report.notes.join()).toContain('1 host is left alone');
    }
  });

  it('relieves a host that has stayed at the threshold', async () => {
    const { actions } = await audit([0, 0, 0, 1], 20, () => 90);
    expect(movesOf(actions)).toMatchObject([{ from: 'h0' }]);
  });

  it('takes a missing history for a load that stood still', async () => {
    const { actions } = await audit([0, 0, 0, 1], 0, (_row, cycle) => (cycle < 0 ? Number.NaN : 90));
    expect(movesOf(actions)).toMatchObject([{ from: 'h0' }]);
  });
});
