import type { DeadLetters } from '#libs/messaging';
import type { Diagnostics } from '#libs/processes';
import type { Metrics, Readiness } from '#libs/service-kit';
import type { RouteDeps } from '../api-deps.ts';
import type { PropertySources } from './properties/create-properties.ts';

/** Collaborators of the internal routes. */
export interface InternalDeps extends RouteDeps, PropertySources {
  metrics: Metrics;
  readiness: Readiness;
  /** Dead letters of the bus. Null: there is no bus. */
  deadLetters: DeadLetters | null;
  /** Check and Status of this process. Default: derived from its readiness. */
  diagnostics?: Diagnostics;
  /** Version of this build, such as `1.4.0`. */
  version: string;
}
