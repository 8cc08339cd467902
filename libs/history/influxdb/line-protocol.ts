import { Point } from '@influxdata/influxdb-client';
import { InvalidInputError } from '#libs/domain';
import type { Sample } from '../history-port.ts';
import type { MetricMapping } from './metric-layout.ts';
import { isMapped, layoutOf } from './metric-layout.ts';

/** Lines of the line protocol, one per sample, with times in milliseconds; the same for every server generation. */
export function toLines(samples: readonly Sample[], mapping: MetricMapping | undefined): string[] {
  return samples.map((sample) => {
    const layout = layoutOf(sample.metric, mapping);
    if (layout.kind === 'counter' || !isMapped(sample.metric, mapping)) {
      throw new InvalidInputError('metric', `${sample.metric} can be read from this layout, and not written to it`);
    }
    const point = new Point(layout.measurement).tag(layout.resourceTag, sample.resource);
    for (const [tag, value] of Object.entries(layout.tags)) point.tag(tag, value);
    point.floatField(layout.field, (sample.value - layout.offset) / layout.scale);
    const line = point.timestamp(Math.floor(sample.at)).toLineProtocol();
    if (line === undefined) throw new Error(`sample of ${sample.metric} has no fields`);
    return line;
  });
}
