import type { AlertScope } from './alert-scope.ts';
import type { JsonObject } from './entities.ts';
import type { ObjectiveTerm } from './explanations.ts';

/** A requested migration: uuid of the instance, name of the host. */
export interface WantedMove {
  instance: string;
  host: string;
}

/** Plans of other sizes that a run of an audit found. They are stored with the audit and can be planned later. */
export interface AuditVariants {
  /** Strategy that found them, and its parameters with all defaults. */
  strategy: string;
  parameters: JsonObject;
  /** Time of the model that they are based on, ISO 8601. */
  modelTakenAt: string;
  /** Scope limit of that run. Absent: the whole scope of the audit. */
  alertScope?: AlertScope;
  /**
   * By `budget` of the curve in the report. Migrations in their order, as uuid of the instance and name of the host.
   */
  variants: { budget: number; moves: [instance: string, host: string][] }[];
}

/** Promised values of a plan, at its creation. */
export interface PlanObjective {
  objective: ObjectiveTerm[];
  /** Values of the plan's point on the curve. Null for a plan without a curve. */
  budget: number | null;
}
