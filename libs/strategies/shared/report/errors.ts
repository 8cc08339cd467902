import { VigilError } from '#libs/domain';

/**
 * A strategy that needs measurements found none in its window. The data source may be down or may receive no samples.
 */
export class MetricsMissingError extends VigilError {
  readonly code = 'metrics_missing';
  readonly category = 'retryable';

  constructor(strategy: string, metrics: string[], periodSeconds: number) {
    super(
      `${strategy} found no value of ${metrics.join(' or ')} in the last ${periodSeconds} s; ` +
        'check that the history source is reachable and receives samples',
    );
  }
}

/** A strategy was run without a model that it needs. */
export class ModelMissingError extends VigilError {
  readonly code = 'model_missing';
  readonly category = 'permanent';

  constructor(strategy: string, model: 'storage' | 'baremetal') {
    super(`${strategy} works on the ${model} model, which this run does not have`);
  }
}
