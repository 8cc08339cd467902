import { messageOf, VigilError } from '#libs/domain';

/** The collector of a plugin failed. The cloud may be healthy. */
export class CollectorFailedError extends VigilError {
  readonly code = 'collector_failed';
  readonly category = 'permanent';

  constructor(model: string, reason: string, options?: ErrorOptions) {
    super(`the plugin that collects the ${model} model failed: ${reason}`, options);
  }
}

/** The catalogue lacks a service that a model needs. */
export class ServiceMissingError extends VigilError {
  readonly code = 'service_missing';
  readonly category = 'permanent';

  constructor(service: string) {
    super(`the catalogue of the cloud has no ${service} service`);
  }
}

/**
 * Returns a listing. When it fails, returns an empty list and a gap that names `what`. Rejects when the collection is
 * aborted.
 */
export type OptionalListing = <Row>(what: string, listing: Promise<Row[]>) => Promise<Row[]>;

/** Optional listings of a model. Missing ones are added to `gaps`. */
export function createOptionalListing(gaps: string[], signal?: AbortSignal): OptionalListing {
  return async (what, listing) => {
    try {
      return await listing;
    } catch (error) {
      signal?.throwIfAborted();
      gaps.push(`${what} could not be listed: ${messageOf(error)}`);
      return [];
    }
  };
}
