import type {
  Action,
  ActionDescription,
  ActionEvent,
  ActionPlan,
  ActionPlanEvent,
  ActionState,
  ApprovalEvent,
  Audit,
  AuditEvent,
  AuditTemplate,
  EntityBase,
  KnownUser,
  Revertibility,
  Service,
  Strategy,
} from '#libs/domain';
import type { Filter, ListQuery } from './list-query.ts';
import type { LeaseRequest } from './work/leases.ts';

/** Fields that the database sets. */
type Generated = 'id' | 'createdAt' | 'updatedAt' | 'deletedAt' | 'deleted';

type NullableField<Row> = { [Field in keyof Row]-?: null extends Row[Field] ? Field : never }[keyof Row];

/** The input of `insert`: every column without a database default is required. The caller generates `uuid`. */
export type NewRow<Row extends EntityBase, Defaulted extends keyof Row = never> = Omit<Row, Generated | Defaulted> &
  Partial<Pick<Row, Defaulted>>;

/**
 * Rows with the uuids and names of their references, as the API shows them. `…Deleted` is 0 while the reference is
 * live. All these fields are null without a reference.
 */
interface GoalFields {
  goalUuid: string;
  goalName: string;
  goalDeleted: number;
}
interface OptionalStrategyFields {
  strategyUuid: string | null;
  strategyName: string | null;
  strategyDeleted: number | null;
}
export type StrategyView = Strategy & GoalFields;
export type AuditTemplateView = AuditTemplate & GoalFields & OptionalStrategyFields;
export type AuditView = Audit & GoalFields & OptionalStrategyFields;
export type ActionPlanView = ActionPlan & {
  auditUuid: string;
  auditName: string;
  auditDeleted: number;
  strategyUuid: string;
  strategyName: string;
  strategyDeleted: number;
};
export type ActionView = Action & { actionPlanUuid: string; auditUuid: string };

/** Reads of one kind of entity. `get` throws NotFoundError. `find` returns null. `ident` is a uuid or a name. */
export interface Reader<View> {
  get(ident: string, options?: { showDeleted?: boolean }): Promise<View>;
  find(ident: string, options?: { showDeleted?: boolean }): Promise<View | null>;
  list(query?: ListQuery<View>): Promise<View[]>;
  count(filters?: Filter<View>[]): Promise<number>;
}

/**
 * Changes of one kind of entity. `insert` throws AlreadyExistsError on a live name or uuid that is taken. `update` and
 * `softDelete` throw NotFoundError. No method here can change a `state` column.
 */
export interface Repository<Row extends EntityBase, View extends Row, Defaulted extends keyof Row = never>
  extends Reader<View> {
  insert(row: NewRow<Row, Defaulted>): Promise<View>;
  insertMany(rows: NewRow<Row, Defaulted>[]): Promise<void>;
  update(uuid: string, changes: Partial<Omit<Row, Generated | 'uuid' | 'state'>>): Promise<View>;
  softDelete(uuid: string): Promise<void>;
}

/** Options of a state change. */
export interface TransitionOptions<Row> {
  /** Further columns to write in the same statement. */
  set?: Partial<Omit<Row, Generated | 'uuid' | 'state'>>;
  /** Only if the row (for an action: its plan) still has this fencing number. @throws LeaseLostError otherwise */
  fence?: number;
}

/** Entities with a state: every change is one conditional update through the entity's transition table. */
export interface StatefulRepository<
  Row extends EntityBase,
  View extends Row,
  Event extends string,
  Defaulted extends keyof Row = never,
> extends Repository<Row, View, Defaulted> {
  /** @throws StateConflictError when the row is in no state that allows `event`, LeaseLostError on an old `fence`. */
  transition(uuid: string, event: Event, options?: TransitionOptions<Row>): Promise<View>;
}

/** Work of one process at a time, by a lease in database time. */
export interface LeasedRepository<View> {
  /**
   * Claims the work: PENDING → ONGOING with a new fencing number from `fence_seq` and an expiry by database time.
   * Returns null when the claim fails (another state, or another `launchSeq`).
   */
  claim(uuid: string, lease: LeaseRequest, options?: { launchSeq?: number }): Promise<View | null>;
  /** Takes over work with an expired lease (ONGOING, for plans also CANCELLING). Null when its holder is alive. */
  takeOver(uuid: string, lease: LeaseRequest): Promise<View | null>;
  /** Renews the lease by database time. False when the row has another fencing number. */
  renewLease(uuid: string, fence: number, ttlMs: number): Promise<boolean>;
  /** Releases the lease, so another process may continue immediately. */
  releaseLease(uuid: string, fence: number): Promise<void>;
  /**
   * Uuids to check: PENDING for longer than `pendingMs` (CONTINUOUS audits: as soon as they are due; EVENT audits only
   * for alerts, other triggers are messages), or due with an expired lease. Oldest first, but started plans before
   * others, and ONESHOT audits before repeating ones. At most `limit`. With `onlyUrgent`: ONESHOT audits only.
   */
  findClaimable(options: {
    pendingMs: number;
    limit: number;
    onlyUrgent?: boolean;
  }): Promise<{ uuid: string; expired: boolean }[]>;
  /** Time until the first valid lease expires, in milliseconds. Null without a valid lease. */
  nextLeaseEnd(): Promise<number | null>;
}

/** Action plans. */
export type ActionPlanRepository = StatefulRepository<ActionPlan, ActionPlanView, ActionPlanEvent, ActionPlanDefaults> &
  LeasedRepository<ActionPlanView> &
  PlanApprovals;

/** A decision on the approval of a plan. */
export interface ApprovalDecision {
  by?: KnownUser;
  comment?: string | null;
  /** Why an approval is void. */
  voidBecause?: string;
}

/** Approvals of RECOMMENDED plans. Each change is one conditional update. */
export interface PlanApprovals {
  /** Requires an approval for a plan without an approval state. False when it has one, or is not RECOMMENDED. */
  wantApproval(uuid: string, reason: string): Promise<boolean>;
  /**
   * Changes the state of the approval along its table.
   * @throws StateConflictError when the approval or the plan is in no state that allows `event`, NotFoundError
   */
  decideApproval(uuid: string, event: ApprovalEvent, decision: ApprovalDecision): Promise<ActionPlanView>;
}

/** Texts that explain action types. */
export interface ActionDescriptionRepository {
  list(): Promise<ActionDescription[]>;
  replaceAll(rows: { actionType: string; description: string; revertible?: Revertibility }[]): Promise<void>;
}

/** Audits, with a count of their runs. An audit ends after too many runs that ended with their process. */
export interface AuditRepository
  extends StatefulRepository<Audit, AuditView, AuditEvent, AuditDefaults>,
    LeasedRepository<AuditView> {
  /**
   * Removes the run with `fence` from the count, because it lost its lease in a database outage. Does nothing when its
   * work has ended.
   */
  forgiveRun(uuid: string, fence: number): Promise<void>;
}

/** Number of live actions of a plan in a state. */
export interface ActionStateCount {
  actionPlanId: number;
  state: ActionState;
  count: number;
}

/** Actions, also by plan. */
export interface ActionRepository extends StatefulRepository<Action, ActionView, ActionEvent, ActionDefaults> {
  /** All live actions of a plan in order of id. */
  listByPlan(actionPlanUuid: string): Promise<ActionView[]>;
  /** Live actions of plans by state. */
  countStates(actionPlanIds: readonly number[]): Promise<ActionStateCount[]>;
  /** Changes every PENDING action of the plan to CANCELLED. Returns their number. */
  cancelPending(actionPlanUuid: string, options: { statusMessage?: string; fence?: number }): Promise<number>;
}

/** Columns that `insert` may leave to the database. */
export type AuditTemplateDefaults = NullableField<AuditTemplate> | 'scope' | 'defaultParameters';
/** Columns that `insert` may leave to the database. */
export type AuditDefaults =
  | NullableField<Audit>
  | 'state'
  | 'parameters'
  | 'scope'
  | 'autoTrigger'
  | 'autoTriggerRefused'
  | 'force'
  | 'attempts'
  | 'failedRuns';
/** Columns that `insert` may leave to the database. */
export type ActionPlanDefaults =
  | NullableField<ActionPlan>
  | 'state'
  | 'globalEfficacy'
  | 'onFailure'
  | 'launchSeq'
  | 'paused'
  | 'abortRunning'
  | 'forceStale'
  | 'startsWhenApproved'
  | 'byOrder';
/** Columns that `insert` may leave to the database. */
export type ActionDefaults = NullableField<Action> | 'state' | 'parents';

/** `status` is derived by database time: ACTIVE when seen within `service_down_time` (90 s), before or after now. */
export type ServiceView = Service & Pick<EntityBase, 'deletedAt'> & { status: 'ACTIVE' | 'FAILED' };
