import type { Diagnostics } from '#libs/registry';
import type { Metrics, Readiness } from '#libs/service-kit';
import type { RouteDeps } from '../http/api-deps.ts';

/** What the internal routes work with. */
export interface InternalDeps extends RouteDeps {
  metrics: Metrics;
  readiness: Readiness;
  /** Check and Status of this process; default: what its readiness says. */
  diagnostics?: Diagnostics;
  /** Version of this build, such as `1.4.0`. */
  version: string;
}
