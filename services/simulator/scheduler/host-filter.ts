import type { MoveWay } from '#libs/domain';
import type { AllocationLedger } from '../cloud/allocation-ledger.ts';
import type { CloudState, SimulatedFlavor, SimulatedHost, SimulatedServer } from '../cloud/entities.ts';

/** A placement request: hosts for `server` with `flavor`. */
export interface ScheduleRequest {
  server: SimulatedServer;
  flavor: SimulatedFlavor;
  /** Host requested by name. Null leaves the choice to the scheduler. */
  requested: SimulatedHost | null;
  /** Way of the move. Absent for a new server. */
  way?: MoveWay;
}

export interface FilterContext {
  state: CloudState;
  ledger: AllocationLedger;
}

/** A filter named like Nova's. True keeps the host. */
export interface HostFilter {
  name: string;
  passes(host: SimulatedHost, request: ScheduleRequest, context: FilterContext): boolean;
}
