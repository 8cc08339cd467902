import { type Clock, silentLogger as logger } from '#libs/domain';
import { testServerUrl } from '#tests';
import { createGnocchiHistory } from '../gnocchi/index.ts';
import type { HistoryReader, HistoryWriter } from '../history-port.ts';
import { createGnocchiFeed } from './index.ts';

/** A reader of the test Gnocchi that reads only the samples of its writer, CPU usage in percent as `cpu_util`. */
export async function openGnocchiStore(
  clock: Clock,
): Promise<{ history: HistoryReader & HistoryWriter; close(): Promise<void> }> {
  const prefix = `${process.pid}-${process.hrtime.bigint()}.`;
  const url = testServerUrl('gnocchi');
  const feed = await createGnocchiFeed(url);
  const reader = createGnocchiHistory({
    url,
    mapping: { instance_cpu_usage: { metric: 'cpu_util' } },
    logger,
    clock,
  });
  /** The values of own resources, by their names. */
  const own = (values: ReadonlyMap<string, number>) =>
    new Map(
      [...values].flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
    );
  const known = new Set<string>();
  const history: HistoryReader & HistoryWriter = {
    ...reader,
    async write(samples) {
      const measures = samples.map((sample) => ({ ...sample, resource: prefix + sample.resource, metric: 'cpu_util' }));
      for (const { resource } of measures) {
        if (known.has(resource)) continue;
        known.add(resource);
        await feed.addResource('instance', resource, ['cpu_util']);
      }
      await feed.write(measures);
    },
    aggregate: async (query) => own(await reader.aggregate(query)),
    maximaAbove: async (query, limit) => own((await reader.maximaAbove?.(query, limit)) ?? new Map()),
    series: (query) => reader.series({ ...query, resource: prefix + query.resource }),
  };
  return { history, close: () => reader.close() };
}
