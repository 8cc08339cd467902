import type { AlertScope } from './alert-scope.ts';
import type { ActionReason, AuditReport } from './explanations.ts';
import type { PlanControls } from './plan-controls.ts';
import type { RefusalReason } from './refusals.ts';
import type { ActionPlanState } from './states/action-plan-states.ts';
import type { ActionState } from './states/action-states.ts';
import type { ApprovalState } from './states/approval-states.ts';
import type { AuditState } from './states/audit-states.ts';

/** Any value of JSON. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
/** An object of JSON, as bodies, parameters and `jsonb` columns are. */
export type JsonObject = { [key: string]: JsonValue };

/**
 * Columns that every stored entity has. `id` is internal (a bigint as text in no API). `deleted` is 0 for a live row
 * and the row's own id for a soft-deleted one, so that names can be used again. Times are set by the database.
 */
export interface EntityBase {
  readonly id: number;
  readonly uuid: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
  readonly deletedAt: Date | null;
  readonly deleted: number;
}

/** One indicator that a goal promises, as stored in `efficacy_specification`. `schema` is JSON Schema as text. */
export interface IndicatorSpecification {
  name: string;
  description: string;
  unit: string | null;
  schema: string;
}

/** Aim of audits, with the indicators that measure it. */
export interface Goal extends EntityBase {
  name: string;
  displayName: string;
  efficacySpecification: IndicatorSpecification[];
}

/** A way to reach a goal, as the decision engines have registered it. */
export interface Strategy extends EntityBase {
  name: string;
  displayName: string;
  goalId: number;
  /** JSON Schema (draft 4) of the strategy's parameters, with defaults. */
  parametersSpec: JsonObject;
}

/** Audit scope: one object per model, such as `[{ compute: [rule, …] }]`. An empty list is the whole cloud. */
export type AuditScope = JsonObject[];

/** Goal, strategy, scope and parameters that audits are made from. */
export interface AuditTemplate extends EntityBase {
  name: string;
  description: string | null;
  goalId: number;
  strategyId: number | null;
  scope: AuditScope;
  defaultParameters: JsonObject;
}

/** Once, by the clock, or when a webhook is called. */
export const auditTypes = ['ONESHOT', 'CONTINUOUS', 'EVENT'] as const;
export type AuditType = (typeof auditTypes)[number];

/** Identity of a user as the token showed it when the user set `auto_trigger`. */
export interface AutoTriggerUser {
  userId: string | null;
  userName: string | null;
  projectId: string | null;
  projectName: string | null;
  /** Domain of a domain-scoped token. */
  domainId?: string | null | undefined;
  /** `all` with a system-scoped token. */
  systemScope?: string | undefined;
  roles: readonly string[];
}

/** A user as a verified token shows it. */
export type KnownUser = Pick<AutoTriggerUser, 'userId' | 'userName' | 'projectId' | 'projectName'>;

/** A request to optimize the cloud. Its result is an action plan. */
export interface Audit extends EntityBase {
  name: string;
  auditType: AuditType;
  state: AuditState;
  parameters: JsonObject;
  /** Seconds or cron expression. Null for audits that are not CONTINUOUS. */
  interval: string | null;
  goalId: number;
  strategyId: number | null;
  scope: AuditScope;
  autoTrigger: boolean;
  /** See `automationLevelOf`. Null: by `autoTrigger` alone. */
  automationLevel: number | null;
  /**
   * User in whose name the plans start. Null without `autoTrigger`, and for audits of releases that did not store it.
   */
  autoTriggerUser: AutoTriggerUser | null;
  /** Whether the policy refuses `action_plan:start` to that user, as the API found last. */
  autoTriggerRefused: boolean;
  /** User who created it, or last changed its future plans. Null for audits of releases that did not store it. */
  requester: KnownUser | null;
  nextRunTime: Date | null;
  /** `host` of the decision engine that runs or ran it. */
  hostname: string | null;
  startTime: Date | null;
  endTime: Date | null;
  /** Run even while an action plan is ongoing. */
  force: boolean;
  statusMessage: string | null;
  /** Registry id of the process that holds the lease. Null without a holder. */
  runInstance: string | null;
  /** Fencing number of the lease. Writes of a run carry it. */
  fence: number | null;
  leaseExpiresAt: Date | null;
  /** How many times a run of this audit was started, counting take-overs. */
  attempts: number;
  /** Consecutive failed runs of a CONTINUOUS audit. 0 after a successful run. */
  failedRuns: number;
  /** When the last run of a CONTINUOUS audit ended, with success or failure. Null before the first run. */
  lastRunAt: Date | null;
  /** Report of the last run: considered, blocked and measured resources. */
  report: AuditReport | null;
  /** Span of the request that made it (W3C trace context). Null when that was not traced. */
  traceparent: string | null;
  /** Uuid of the unfinished run that alerts requested. Null without such a run. */
  alertRun: string | null;
  /** Limit of the current or last run of an EVENT audit. Null: it has the whole scope. */
  alertScope: AlertScope;
}

/** One entry of a plan's `global_efficacy`. */
export interface GlobalEfficacy {
  name: string;
  description: string;
  unit: string | null;
  value: number;
}

/** Progress of the rollback of a plan or an action. NOT_SUPPORTED: it cannot be undone. */
export const rollbackStates = ['ONGOING', 'SUCCEEDED', 'FAILED', 'NOT_SUPPORTED'] as const;
export type RollbackState = (typeof rollbackStates)[number];

/** Proposal of an audit: actions in order, with the state of their execution. */
export interface ActionPlan extends EntityBase, PlanControls {
  auditId: number;
  strategyId: number;
  state: ActionPlanState;
  globalEfficacy: GlobalEfficacy[];
  /** `host` of the applier that runs or ran it. */
  hostname: string | null;
  statusMessage: string | null;
  rollbackState: RollbackState | null;
  rollbackMessage: string | null;
  /** Uuid of the plan whose actions this one reverts. Null for plans of audits. */
  rollsBack: string | null;
  /** Increases with every launch. Messages of older launches are dropped. */
  launchSeq: number;
  runInstance: string | null;
  fence: number | null;
  leaseExpiresAt: Date | null;
  /**
   * Numbers measured before the first action and after the end, `{ before, after, measurement, promises }`. Each of the
   * first two is `{ measuredAt, windowStart, windowEnd, cluster, goal }`, `measurement` an `OutcomeMeasurement`,
   * `promises` a list of `JudgedPromise`. Null until the plan is taken by an applier.
   */
  outcome: JsonObject | null;
  /**
   * Whether an operator ordered it (`byOrder` of its strategy). A host that it disables then stays disabled at its end.
   */
  byOrder: boolean;
  /** Span of the run or request that made it (W3C trace context). Null when that was not traced. */
  traceparent: string | null;
  /** Scope limit of the run that made it. Null: the run had the whole scope of the audit. */
  alertScope: AlertScope;
  /** User who requested this size of the plan. Null: created by its audit. */
  requester: KnownUser | null;
  /** Null: no rule has required an approval so far. */
  approval: ApprovalState | null;
  /** The rules that require it. */
  approvalReason: string | null;
  /** Approver of the last decision. Null while an approval is required. */
  approvalBy: KnownUser | null;
  /** When the approval got its state. */
  approvalAt: Date | null;
  approvalComment: string | null;
  /** Why the last approval is void. Null without a void approval. */
  approvalVoid: string | null;
  /** Whether it starts when it is approved, because its audit has `auto_trigger`. */
  startsWhenApproved: boolean;
}

/** One step of an action plan. */
export interface Action extends EntityBase {
  actionPlanId: number;
  actionType: string;
  inputParameters: JsonObject;
  state: ActionState;
  /** Uuids of the actions that must end before this one may start. */
  parents: string[];
  statusMessage: string | null;
  /** Reason of the strategy for it. */
  reason: ActionReason | null;
  rollbackState: RollbackState | null;
  rollbackMessage: string | null;
  startedAt: Date | null;
  endedAt: Date | null;
  /** Kind of the reason why it did not succeed. Null after a success and before the end. */
  endReason: ActionEndReason | null;
  /** Kind of the reason why a service of the cloud refused it. Null without a refusal. */
  refusal: RefusalReason | null;
}

/**
 * Why an action was skipped, failed or was cancelled. `stale`: the cloud did not match the assumptions of the plan.
 * `invalid`: unknown type or parameters, or a broken plugin. `failed`: it was tried. `timeout`. `interrupted`: the
 * outcome of an attempt of a lost applier is unknown. `aborted`: on request while it ran. `alternative`: another
 * action made it unnecessary. `budget`: the limit of migrations is used up. `parent`: an earlier action did not
 * succeed, and this action depends on it.
 */
export const actionEndReasons = [
  'stale',
  'invalid',
  'failed',
  'timeout',
  'interrupted',
  'aborted',
  'alternative',
  'budget',
  'parent',
] as const;
export type ActionEndReason = (typeof actionEndReasons)[number];

/** Value that a plan is expected to reach, in the unit that the goal gives. */
export interface EfficacyIndicator extends EntityBase {
  name: string;
  description: string | null;
  unit: string | null;
  value: number;
  actionPlanId: number;
}

/** A scoring engine that decision engines have loaded. */
export interface ScoringEngine extends EntityBase {
  name: string;
  description: string | null;
  metainfo: string | null;
}

/** A row of Watcher's `services`: one per (name, host). It has no uuid. Clients use `id`. */
export interface Service {
  readonly id: number;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
  name: string;
  host: string;
  lastSeenUp: Date | null;
}

/** Description of an action type, as an applier has registered it. */
export interface ActionDescription {
  readonly id: number;
  actionType: string;
  description: string;
  /** How well a finished action of this type can be reverted. Null until an applier registers the type. */
  revertible: Revertibility | null;
}

/** How completely a former state can be restored. */
export const revertibilities = ['exact', 'best-effort', 'impossible'] as const;
export type Revertibility = (typeof revertibilities)[number];

/**
 * Journal of one attempt of an action. The applier writes `intent` before each external change and `result` after the
 * reply, so that a successor can determine the outcome. `externalRef` names the external operation (a Nova migration
 * uuid).
 */
export interface ActionAttemptJournal {
  readonly id: number;
  readonly actionId: number;
  readonly attemptNo: number;
  readonly fence: number;
  phase: string;
  intent: JsonObject;
  result: JsonObject | null;
  externalRef: string | null;
  readonly startedAt: Date;
  endedAt: Date | null;
}
