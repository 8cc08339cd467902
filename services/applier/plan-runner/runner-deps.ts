import type { ActionRegistry } from '#libs/actions';
import type { Gate } from '#libs/dependencies';
import type { Clock, IdSource, Logger } from '#libs/domain';
import type { KnownGain } from '#libs/messaging';
import type { Cloud } from '#libs/openstack';
import type { Store } from '#libs/store';
import type { Tracer } from '#libs/tracing';
import type { PlanAuthority } from '../authority/plan-authority.ts';
import type { ApplierMetrics } from '../metrics.ts';
import type { Occupancy } from './limits/occupancy.ts';

/**
 * Named points of a run at which a test can stop it forever, like a killed process. In production they have no effect.
 */
export type RacePoint =
  | 'before-claim-commit'
  | 'after-claim'
  | 'after-intent'
  | 'after-send'
  | 'mid-poll'
  | 'before-succeeded'
  | 'before-abort'
  | 'mid-rollback'
  | 'before-finish';

export type RacePointHook = (point: RacePoint) => Promise<void>;

/** Without effect. */
export const noRace: RacePointHook = async () => {};

/** Collaborators of every run of this process. */
export interface RunnerDeps {
  store: Store;
  /** Cloud with the standing credentials. */
  cloud: Cloud;
  /** Gives each plan a separate credential. Default: its actions use the standing ones. */
  planAuthority?: PlanAuthority;
  actions: ActionRegistry;
  /** While it is closed no plan is claimed, no action starts and the cloud is not changed. */
  gate: Gate;
  occupancy: Occupancy;
  /** Monotonic, unaffected by changes of the host's time of day. Its origin is arbitrary. */
  steadyClock: Clock;
  newUuid: IdSource;
  logger: Logger;
  metrics: ApplierMetrics;
  racePoint: RacePointHook;
  /** Evaluates the gain of a plan on the newest model. */
  requestGain(planUuid: string): Promise<KnownGain>;
  /** Default: runs are not traced. */
  tracer?: Tracer;
  /** Called with the progress of an action, 0 to 1. */
  onProgress(actionUuid: string, fraction: number): void;
}
