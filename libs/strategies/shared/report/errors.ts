import { VigilError } from '#libs/domain';

/** A strategy that decides by measurements found none at all in its window. The source may be down or not fed. */
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

/** A strategy was run without a part of the picture that it works on. */
export class ModelMissingError extends VigilError {
  readonly code = 'model_missing';
  readonly category = 'permanent';

  constructor(strategy: string, model: 'storage' | 'baremetal') {
    super(`${strategy} works on the ${model} model, which this run does not have`);
  }
}
