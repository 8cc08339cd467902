import type { HistorySeries } from '../api/cluster-types.ts';
import { wordsOf } from '../texts/api-names.ts';

type Series = HistorySeries['series'][number];

/** Lines that share an axis. */
export interface UnitChart {
  unit: string;
  /** Seconds since 1970. */
  at: number[];
  lines: { label: string; color: string; values: (number | null)[] }[];
}

/** Units of memory, each with how many of it are a GiB. */
const perGib: Readonly<Record<string, number>> = { KiB: 1024 ** 2, MB: 1024 };

/** Charts of the measurements, one for each unit. Memory is in GiB. */
export function chartsOf(series: readonly Series[]): UnitChart[] {
  const charts = new Map<string, UnitChart>();
  for (const { metric, unit, at, values } of series) {
    if (at.length === 0) continue;
    const divisor = perGib[unit] ?? 1;
    const shown = unit in perGib ? 'GiB' : unit;
    const chart = charts.get(shown) ?? { unit: shown, at, lines: [] };
    const byTime = new Map(at.map((time, index) => [time, values[index]]));
    chart.lines.push({
      label: wordsOf(metric),
      color: `--vigil-line-${charts.has(shown) ? chart.lines.length + 1 : charts.size + 1}`,
      values: chart.at.map((time) => {
        const value = byTime.get(time);
        return value === undefined ? null : value / divisor;
      }),
    });
    charts.set(shown, chart);
  }
  return [...charts.values()];
}
