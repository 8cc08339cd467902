import { type ErrorCategory, VigilError } from '#libs/domain';

/** An error response of a simulated OpenStack service. The routes format it by service. */
export class SimulatedApiError extends VigilError {
  readonly code = 'simulated_api';
  readonly category: ErrorCategory;
  /** HTTP status. */
  readonly status: number;
  /** Error code of Placement. */
  readonly placementCode: string;

  constructor(status: number, message: string, placementCode = 'placement.undefined_code') {
    super(message);
    this.status = status;
    this.placementCode = placementCode;
    this.category = status === 409 ? 'conflict' : 'invalid-input';
  }
}

/** The simulated scheduler found no host. `reasons` counts the hosts that each filter removed. */
export class NoValidHostError extends VigilError {
  readonly code = 'no_valid_host';
  readonly category = 'conflict';
  readonly reasons: ReadonlyMap<string, number>;

  constructor(reasons: ReadonlyMap<string, number>) {
    super('No valid host was found. There are not enough hosts available.');
    this.reasons = reasons;
  }
}
