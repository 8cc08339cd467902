import type { ActionPlan } from '#libs/client';
import type { LoggedRequest } from '../stack/cloud-log.ts';
import type { MemberEnd } from '../stack/members.ts';

/** State of a plan, an action or an audit, and when the soak received it. Milliseconds of the epoch. */
export interface StateAt {
  state: string;
  atMs: number;
}

/** A plan as the API reported it last. */
export interface PlanRecord {
  uuid: string;
  auditUuid: string | null;
  strategy: string;
  createdMs: number;
  /** In the order of their arrival. Never empty. */
  states: StateAt[];
  message: string | null;
  outcome: Record<string, unknown> | null;
  efficacy: ActionPlan['efficacy_indicators'];
}

/** An action as the API reported it last. */
export interface ActionRecord {
  uuid: string;
  planUuid: string;
  type: string;
  input: Record<string, unknown>;
  states: StateAt[];
  message: string | null;
}

/** An audit as the API reported it last. */
export interface AuditRecord {
  uuid: string;
  name: string;
  type: string;
  strategy: string | null;
  states: StateAt[];
  message: string | null;
  /** Start of the next run, milliseconds of the epoch. Null when none is due. */
  nextRunMs: number | null;
}

/** A row of the simulator's migrations. */
export interface MigrationRecord {
  id: number;
  server: string;
  status: string;
  source: string;
  dest: string | null;
  /** Milliseconds of the epoch. */
  created_at: number;
  updated_at: number | null;
  reason: string | null;
  /** Simulator's id of the request. */
  request_id: string;
}

/** A host of the simulated cloud at one moment. */
export interface HostState {
  name: string;
  status: 'enabled' | 'disabled';
  alive: boolean;
  /** Number of servers. */
  servers: number;
  /** 0 to 100. */
  cpu_percent: number;
  /** Allocations, those of running migrations on both hosts. */
  used: { VCPU: number; MEMORY_MB: number };
}

/** All hosts at one moment. */
export interface HostSample {
  atMs: number;
  hosts: readonly HostState[];
}

/** Time in which a host did not report. */
export interface Outage {
  host: string;
  fromMs: number;
  /** Null while it lasts. */
  toMs: number | null;
}

/** Resources of one process, or rows of one table, at one moment. */
export interface ResourceSample {
  atMs: number;
  /** By process: resident memory and open descriptors. */
  processes: ReadonlyMap<string, { pid: number; rssMib: number; descriptors: number }>;
  /** Live rows by table, counted. */
  rows: ReadonlyMap<string, number>;
}

/** Observations of a soak, for its judges. */
export interface SoakRecord {
  plans: ReadonlyMap<string, PlanRecord>;
  actions: ReadonlyMap<string, ActionRecord>;
  audits: ReadonlyMap<string, AuditRecord>;
  /** Changes that the cloud was requested to make, oldest first. */
  requests: readonly LoggedRequest[];
  migrations: readonly MigrationRecord[];
  samples: readonly HostSample[];
  outages: readonly Outage[];
  /** Hosts by the id of their compute service. */
  serviceHosts: ReadonlyMap<string, string>;
  /** Hosts of each audit's scope. An audit that is missing has the whole cloud. */
  scopes: ReadonlyMap<string, ReadonlySet<string>>;
  ends: readonly MemberEnd[];
  resources: readonly ResourceSample[];
  startMs: number;
  endMs: number;
}

/** A fault that a judge found. */
export interface Fault {
  /** One readable line. */
  text: string;
  /** When it happened, milliseconds of the epoch. */
  atMs: number;
  /** Uuids of plans, actions and audits whose log lines are evidence. */
  ids: readonly string[];
  /** Rows that show it. */
  evidence: unknown;
}

/** Last state. */
export function stateOf({ states }: { states: readonly StateAt[] }): string {
  return states.at(-1)?.state ?? '';
}

/** When it got its last state, milliseconds of the epoch. */
export function changedMs({ states }: { states: readonly StateAt[] }): number {
  return states.at(-1)?.atMs ?? 0;
}

/** Time of day for texts. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
