import type { ComputeSnapshot } from '#libs/cluster-model';
import type { PowerModel } from './power-models.ts';
import type { StepSeries } from './step-series.ts';

/** Time between two samples of load. */
export const stepSeconds = 300;

/** State of a host and its machine at a moment. */
export interface HostState {
  enabled: boolean;
  disabledReason: string | null;
  /** `changing`: the machine consumes power and runs nothing. */
  power: 'on' | 'off' | 'changing';
  failed: boolean;
}

/** A host of a replayed world. */
export interface DayHost {
  name: string;
  uuid: string;
  vcpus: number;
  memoryMb: number;
  /** Sizes of instances that Nova puts on it at most. */
  room: { vcpus: number; memoryMb: number };
  watts: PowerModel;
  /** Machine of Ironic that it runs on. Null where none is known. */
  node: { uuid: string; name: string } | null;
  /** At the start. Default: enabled, on and not failed. */
  initial?: Partial<HostState>;
}

/** An instance of a replayed world. */
export interface DayInstance {
  name: string;
  uuid: string;
  vcpus: number;
  memoryMb: number;
  /** First step in which it exists, and the first in which it no longer does. */
  arrives: number;
  departs: number;
  /** Row of its host. Default: spread at the start, chosen as by Nova when it arrives later. */
  host?: number;
}

/** Load of a world over time. Rows are those of its instances and hosts. NaN: not measured. */
export interface DayLoad {
  /** Demanded CPU of instances in percent of their vcpus. */
  cpu: StepSeries;
  /** Memory that instances use, in percent of theirs. Null: 60. */
  memory: StepSeries | null;
  /** Load of hosts beside that of their instances: percent of the host, and MiB. Null: none, and all is measured. */
  overhead: { cpu: StepSeries; memoryMb: StepSeries } | null;
}

/** Where instances are and how hosts are at a moment. */
export interface DayState {
  hosts: readonly HostState[];
  /** Row of the host of each instance. -1: the instance does not exist now. */
  hostOf: Int32Array;
}

/** A cloud and its load over time. Nothing in it depends on decisions. */
export interface DayWorld {
  name: string;
  /** Milliseconds since 1970. */
  startMs: number;
  steps: number;
  hosts: DayHost[];
  instances: DayInstance[];
  load: DayLoad;
  /** Hosts that fail at a step and are repaired at a later one. */
  failures: { host: number; fails: number; returns: number }[];
  /** The model that the decision engine would read. */
  snapshot(world: DayWorld, state: DayState, takenAtMs: number): ComputeSnapshot;
}
