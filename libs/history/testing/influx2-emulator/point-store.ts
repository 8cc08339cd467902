/** A stored value. Integers and floats differ, as in Flux. */
export type FieldValue =
  | { type: 'double' | 'long'; value: number }
  | { type: 'string'; value: string }
  | { type: 'boolean'; value: boolean };

interface StoredSeries {
  measurement: string;
  field: string;
  tags: Record<string, string>;
  /** By time in milliseconds. A later write with the same time replaces the value, as in InfluxDB. */
  points: Map<number, FieldValue>;
}

/** All series of a bucket. */
export interface PointStore {
  add(measurement: string, tags: Record<string, string>, field: string, at: number, value: FieldValue): void;
  series(): StoredSeries[];
}

export function createPointStore(): PointStore {
  const all = new Map<string, StoredSeries>();
  return {
    add(measurement, tags, field, at, value) {
      const ordered = Object.fromEntries(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));
      const key = JSON.stringify([measurement, field, ordered]);
      let series = all.get(key);
      if (series === undefined) {
        series = { measurement, field, tags: ordered, points: new Map() };
        all.set(key, series);
      }
      series.points.set(at, value);
    },
    series: () => [...all.values()],
  };
}
