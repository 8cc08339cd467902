import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLoadTable, type LoadMetric } from './load-table.ts';

function metric(hostLoad: number[], changes: Partial<Record<'hostSize' | 'use', number[]>> & { weight?: number } = {}) {
  return {
    name: 'host_cpu_usage',
    weight: changes.weight ?? 1,
    hostLoad: Float64Array.from(hostLoad),
    hostSize: Float64Array.from(changes.hostSize ?? hostLoad.map(() => 40)),
    use: Float64Array.from(changes.use ?? []),
  } satisfies LoadMetric;
}

function populationDeviation(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

describe('load table', () => {
  it('has the deviations of scenario 1', () => {
    const cpu = metric([0.07, 0.07, 0.8, 0.05, 0.05]);
    const ram = metric([7 / 132, 5 / 132, 29 / 132, 8 / 132, 4 / 132]);
    const table = createLoadTable([cpu, ram], [0, 1, 2, 3, 4]);
    expect(table.deviation(0)).toBeCloseTo(0.296, 3);
    expect(table.deviation(1)).toBeCloseTo(0.0706, 3);
    expect(table.weighted()).toBeCloseTo(0.296 + 0.0706, 3);
  });

  it.each([
    [{}, 1.25],
    [{ weight: 0.4 }, 0.8],
  ])('adds the deviations 0.5 and 0.75, the second with %o', (weight, expected) => {
    const table = createLoadTable([metric([0, 1]), metric([0.25, 1.75], weight)], [0, 1]);
    expect([table.deviation(0), table.deviation(1)]).toEqual([0.5, 0.75]);
    expect(table.weighted()).toBeCloseTo(expected, 9);
  });

  it('leaves hosts without a load in some metric out', () => {
    const table = createLoadTable([metric([0.1, Number.NaN, 0.3]), metric([0.1, 0.2, 0.3])], [0, 1, 2]);
    expect(table.hosts).toEqual([0, 2]);
    const sizeless = createLoadTable([metric([0.1, 0.2, 0.3], { hostSize: [40, 40, 0] })], [0, 1, 2]);
    expect(sizeless.hosts).toEqual([0, 1]);
  });

  it('moves I5 of scenario 1 from Node_2 to Node_1', () => {
    const table = createLoadTable([metric([0.07, 0.07, 0.8, 0.05, 0.05], { use: [1] })], [0, 1, 2, 3, 4]);
    table.move(0, 2, 1);
    expect(table.load(0, 1)).toBeCloseTo(0.095);
    expect(table.load(0, 2)).toBeCloseTo(0.775);
  });

  it('orders hosts by pressure, before and after moves', () => {
    const table = createLoadTable([metric([0.5, 0.1, 0.9, 0.5], { use: [32] })], [0, 1, 2, 3]);
    expect([...table.byPressure()]).toEqual([2, 0, 3, 1]);
    table.move(0, 2, 1);
    expect([...table.byPressure()]).toEqual([1, 0, 3, 2]);
  });

  const fraction = fc.double({ min: 0, max: 1, noNaN: true });
  it('predicts and keeps exactly the defined deviation', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ cpu: fraction, ram: fraction, size: fc.integer({ min: 8, max: 64 }) }), {
          minLength: 2,
          maxLength: 8,
        }),
        fc.array(fc.record({ cpu: fraction, ram: fraction }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 20 }),
        fraction,
        (hosts, instances, moves, weight) => {
          const sizes = hosts.map(({ size }) => size);
          const loads = [hosts.map(({ cpu }) => cpu), hosts.map(({ ram }) => ram)];
          const uses = [instances.map(({ cpu }) => cpu * 8), instances.map(({ ram }) => ram * 4)];
          const weights = [1, weight];
          const table = createLoadTable(
            loads.map((load, row) => metric(load, { hostSize: sizes, use: uses[row], weight: weights[row] })),
            hosts.map((_, row) => row),
          );
          for (const [instance, a, b] of moves) {
            const row = instance % instances.length;
            const [from, to] = [a % hosts.length, b % hosts.length];
            if (from === to) continue;
            const foretold = table.weightedAfter(row, from, to);
            table.move(row, from, to);
            loads.forEach((load, index) => {
              load[from]! -= uses[index]![row]! / sizes[from]!;
              load[to]! += uses[index]![row]! / sizes[to]!;
            });
            const expected = loads.reduce((sum, load, index) => sum + weights[index]! * populationDeviation(load), 0);
            expect(table.weighted()).toBeCloseTo(expected, 6);
            expect(foretold).toBeCloseTo(expected, 6);
          }
          const pressures = table.byPressure().map((host) => table.pressure(host));
          expect(pressures).toEqual([...pressures].sort((x, y) => y - x));
        },
      ),
    );
  });

  it('knows the exact deviations after a move to many hosts, and no bound above any of them', () => {
    const load = fc.double({ min: 0, max: 1.5, noNaN: true });
    const host = fc.record({ cpu: load, ram: load, size: fc.constantFrom(16, 40) });
    fc.assert(
      fc.property(fc.array(host, { minLength: 3, maxLength: 8 }), load, load, fc.boolean(), (all, cpu, ram, both) => {
        const hostSize = all.map(({ size }) => size);
        const metrics = [
          metric(
            all.map((one) => one.cpu),
            { hostSize, use: [cpu * 8] },
          ),
          metric(
            all.map((one) => one.ram),
            { use: [ram * 8], weight: 0.5 },
          ),
        ].slice(0, both ? 2 : 1);
        const table = createLoadTable(metrics, [...all.keys()]);
        const others = [...all.keys()].slice(1);
        const after = others.map(table.weightedAfterLeaving(0, 0));
        const least = table.leastAfterLeaving(others)(0, 0);

        expect(after).toEqual(others.map((to) => table.weightedAfter(0, 0, to)));
        expect(least).toBeLessThanOrEqual(Math.min(...after));
        if (!both) expect(least).toBe(Math.min(...after));
      }),
    );
  });

  it('has no bound for an instance whose use is unknown', () => {
    const table = createLoadTable([metric([0.1, 0.2, 0.3], { use: [Number.NaN] })], [0, 1, 2]);
    expect(table.leastAfterLeaving([1, 2])(0, 0)).toBe(Number.NEGATIVE_INFINITY);
  });
});
