import type { DeadLetters } from '#libs/messaging';
import type { Diagnostics } from '#libs/processes';
import type { Metrics, Readiness } from '#libs/service-kit';
import type { LogPosition } from '#libs/store';
import type { RouteDeps } from '../api-deps.ts';
import type { PropertySources } from './properties/create-properties.ts';

/** Collaborators of the internal routes. */
export interface InternalDeps extends RouteDeps, PropertySources {
  metrics: Metrics;
  readiness: Readiness;
  /** A position in the change log that reads of the database from now on include. Null: unknown. */
  logPosition: () => LogPosition | null;
  /** Dead letters of the bus. Null: there is no bus. */
  deadLetters: DeadLetters | null;
  /** Check and Status of this process. Default: derived from its readiness. */
  diagnostics?: Diagnostics;
  /** Version of this build, such as `1.4.0`. */
  version: string;
}
