import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MetricAggregate, metricAggregates, percentileShare } from '#libs/domain';
import { type FluxFrontEnd, loadFluxFrontEnd } from '../testing/influx2-emulator/index.ts';
import { aggregateFlux, presentFlux, probeFlux, seriesFlux, trendSums } from './flux-text.ts';
import type { MetricLayout } from './metric-layout.ts';

const hostile = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^["\\$ {}\n\r\t|>()/*]{1,12}$/),
  fc.constantFrom(
    '${',
    '\\',
    '"',
    '\\"',
    '") |> drop(columns: ["a"]) //',
    `\${r.host}`,
    '\u2028',
    '\n|> yield()',
    '// x',
  ),
);
const layouts = fc.record({
  measurement: hostile,
  field: hostile,
  resourceTag: hostile,
  tags: fc.dictionary(hostile, hostile, { maxKeys: 3 }),
  kind: fc.constantFrom('gauge' as const, 'counter' as const),
  perVcpu: fc.constant(false),
  scale: fc.constant(1),
  offset: fc.constant(0),
});
const times = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });
const window = fc
  .tuple(times, fc.integer({ min: 1, max: 1e9 }))
  .map(([startMs, ms]) => ({ startMs, endMs: startMs + ms }));

/** Steps, strings and columns that compute one value from the samples. */
function reductionOf(aggregate: MetricAggregate): [string[], string[], readonly string[]] {
  if (aggregate === 'trend') return [['float', 'float', 'int', 'map', 'reduce'], [], trendSums];
  if (percentileShare(aggregate) === undefined) return [[aggregate], [], ['_value']];
  return [['quantile'], ['exact_mean'], ['_value']];
}

describe('Flux queries, parsed by the real Flux front end', () => {
  let flux: FluxFrontEnd;

  beforeAll(async () => {
    flux = await loadFluxFrontEnd();
  });

  /** Every string of the query, in order. */
  function textsIn(query: string): string[] {
    const found: string[] = [];
    JSON.stringify(flux.parse(query), (_, node) => {
      if (node?.type === 'StringLiteral') found.push(node.value);
      return node;
    });
    return found;
  }

  function stepsIn(query: string): string[] {
    const found: string[] = [];
    JSON.stringify(flux.parse(query), (_, node) => {
      if (node?.callee?.type === 'Identifier') found.push(node.callee.name);
      return node;
    });
    return found;
  }

  it('distinguishes invalid from valid queries', () => {
    expect(flux.isValid('from(bucket: "a") |> range(start: -1h)')).toBe(true);
    expect(flux.isValid('from(bucket: "a") |> range(strt: -1h)')).toBe(false);
    expect(flux.isValid('from(bucket: "a") |> rang(start: -1h)')).toBe(false);
    expect(flux.isValid('from(bucket: "a"')).toBe(false);
  });

  it('are valid and keep every name unchanged, with any characters', () => {
    const properties = fc.property(
      hostile,
      layouts,
      fc.constantFrom(...metricAggregates),
      window,
      hostile,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (bucket, layout: MetricLayout, aggregate, range, resource, value) => {
        const grouped = aggregateFlux(bucket, layout, aggregate, range);
        expect(flux.isValid(grouped)).toBe(true);
        const rates = layout.kind === 'counter' ? ['derivative', 'sort'] : [];
        const ofGroups = aggregate === 'count' ? [] : rates;
        const [reduction, texts, columns] = reductionOf(aggregate);
        const steps = ['filter', 'from', 'group', 'keep', 'range', ...reduction, ...ofGroups];
        expect(stepsIn(grouped).sort()).toEqual(steps.sort());
        const wanted = { _measurement: layout.measurement, _field: layout.field, ...layout.tags };
        const filter = Object.entries(wanted).flat();
        const time = (names: string[]) => (names.length > 0 ? ['_time'] : []);
        const { resourceTag } = layout;
        const names = [bucket, ...filter, resourceTag, ...time(ofGroups), ...texts, resourceTag, ...columns];
        expect(textsIn(grouped)).toEqual(names);

        const series = seriesFlux(bucket, layout, resource, range, 30);
        expect(flux.isValid(series)).toBe(true);
        const ofSeries = [...filter, resourceTag, resource, ...time(rates), '_start', '_time', '_value'];
        expect(textsIn(series)).toEqual([bucket, ...ofSeries]);

        const above = aggregateFlux(bucket, layout, 'max', range, undefined, { operator: '>', value });
        expect(flux.isValid(above)).toBe(true);
        expect(stepsIn(above).filter((step) => step === 'filter')).toHaveLength(2);

        const present = presentFlux(bucket, new Map([['host_power', layout]]), range);
        expect(flux.isValid(present)).toBe(true);
        expect(textsIn(present)).toEqual([bucket, ...filter, 'host_power']);

        expect(flux.isValid(probeFlux(bucket, range.endMs))).toBe(true);
      },
    );
    fc.assert(properties, { numRuns: 300 });
  });
});
