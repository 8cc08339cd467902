import type { ComputeSnapshot } from '#libs/cluster-model';
import type { PowerModel } from './power-models.ts';
import type { StepSeries } from './step-series.ts';

/** Time between two samples of load. */
export const stepSeconds = 300;

/** State of a host and its machine. */
export interface HostState {
  enabled: boolean;
  disabledReason: string | null;
  /** `changing`: the machine consumes power and runs no instance. */
  power: 'on' | 'off' | 'changing';
  failed: boolean;
}

/** A host of a replayed world. */
export interface DayHost {
  name: string;
  uuid: string;
  vcpus: number;
  memoryMb: number;
  /** Total size of instances that Nova accepts on it. */
  room: { vcpus: number; memoryMb: number };
  watts: PowerModel;
  /** Its node in Ironic. Null when unknown. */
  node: { uuid: string; name: string } | null;
  /** State at the start. Default: enabled, on and not failed. */
  initial?: Partial<HostState>;
}

/** An instance of a replayed world. */
export interface DayInstance {
  name: string;
  uuid: string;
  vcpus: number;
  memoryMb: number;
  /** First step in which it exists, and the first step in which it no longer does. */
  arrives: number;
  departs: number;
  /** Row of its host. Default: distributed at the start, chosen as by Nova for later arrivals. */
  host?: number;
}

/** Load of a world over time. Rows are those of its instances and hosts. NaN: not measured. */
export interface DayLoad {
  /** Demanded CPU of instances in percent of their vcpus. */
  cpu: StepSeries;
  /** Memory that instances use, in percent of their size. Null: 60. */
  memory: StepSeries | null;
  /**
   * Load of hosts in addition to their instances: percent of the host, and MiB. Null: no such load, and every host is
   * measured.
   */
  overhead: { cpu: StepSeries; memoryMb: StepSeries } | null;
}

/** Hosts of the instances, and states of the hosts. */
export interface DayState {
  hosts: readonly HostState[];
  /** Row of the host of each instance. -1: the instance does not exist now. */
  hostOf: Int32Array;
}

/** A cloud and its load over time, independent of any decision. */
export interface DayWorld {
  name: string;
  /** Milliseconds since 1970. */
  startMs: number;
  steps: number;
  hosts: DayHost[];
  instances: DayInstance[];
  load: DayLoad;
  /** Hosts that fail at one step and are repaired at a later one. */
  failures: { host: number; fails: number; returns: number }[];
  /** The model that the decision engine would read. */
  snapshot(world: DayWorld, state: DayState, takenAtMs: number): ComputeSnapshot;
}
