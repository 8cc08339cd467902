import { InvalidInputError, metricCatalogue } from '#libs/domain';
import type { Sample } from './history-port.ts';

/** Names that every store keeps unchanged. InfluxDB's line protocol cannot represent others. */
const keepableName = /^(?!.*\\$)[^\p{Cc}]+$/u;

/** Refuses samples that no store can keep. @throws InvalidInputError with the field and the resource */
export function validateSamples(samples: readonly Sample[]): void {
  for (const sample of samples) {
    const where = `of ${String(sample.metric)} for ${JSON.stringify(sample.resource)}`;
    if (!(sample.metric in metricCatalogue)) {
      throw new InvalidInputError('metric', `${JSON.stringify(sample.metric)} is not in the metric catalogue`);
    }
    if (!keepableName.test(sample.resource)) {
      throw new InvalidInputError(
        'resource',
        `the name ${where} is empty, has control characters or ends in a backslash`,
      );
    }
    if (!Number.isFinite(sample.value)) {
      throw new InvalidInputError('value', `${sample.value} ${where} is not a finite number`);
    }
    if (!Number.isFinite(sample.at)) {
      throw new InvalidInputError('at', `${sample.at} ${where} is not a time in milliseconds`);
    }
  }
}
