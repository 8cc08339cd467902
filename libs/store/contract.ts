import type {
  Action,
  ActionAttemptJournal,
  ActionDescription,
  ActionEndReason,
  ActionEvent,
  ActionPlan,
  ActionPlanEvent,
  Audit,
  AuditEvent,
  AuditTemplate,
  EfficacyIndicator,
  EntityBase,
  Goal,
  JsonObject,
  Revertibility,
  ScoringEngine,
  Service,
  Strategy,
} from '#libs/domain';

/** Fields the database fills by itself. */
type Generated = 'id' | 'createdAt' | 'updatedAt' | 'deletedAt' | 'deleted';

/** What `insert` takes: every column without a database default is required, `uuid` is made by the caller. */
export type NewRow<Row extends EntityBase, Defaulted extends keyof Row = never> = Omit<Row, Generated | Defaulted> &
  Partial<Pick<Row, Defaulted>>;

/**
 * Rows with the uuids and names of what they refer to, as the API shows them. `…Deleted` is 0 while that is live; it is
 * null, as the other fields are, where a row refers to nothing.
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

export type FilterOperator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'notin';

/** One condition on a view field; `value` is a list for `in` and `notin`. All conditions of a query must hold. */
export interface Filter<View> {
  field: keyof View & string;
  op?: FilterOperator;
  value: unknown;
}

/** A page of a list: sorted by `sortKey` then `id`, beginning after the row whose uuid (id for services) is `marker`. */
export interface ListQuery<View> {
  filters?: Filter<View>[];
  sortKey?: keyof View & string;
  sortDir?: 'asc' | 'desc';
  /** Rows at most; all when absent. */
  limit?: number;
  marker?: string;
  /** Also rows that are soft-deleted; default false. */
  showDeleted?: boolean;
}

/** Reads of one kind of entity. `get` throws NotFoundError; `find` answers null. `ident` is a uuid or a name. */
export interface Reader<View> {
  get(ident: string, options?: { showDeleted?: boolean }): Promise<View>;
  find(ident: string, options?: { showDeleted?: boolean }): Promise<View | null>;
  list(query?: ListQuery<View>): Promise<View[]>;
  count(filters?: Filter<View>[]): Promise<number>;
}

/**
 * Changes of one kind of entity. `insert` throws AlreadyExistsError on a live name or uuid that is taken; `update` and
 * `softDelete` throw NotFoundError. No method here can change a `state` column.
 */
export interface Repository<Row extends EntityBase, View extends Row, Defaulted extends keyof Row = never>
  extends Reader<View> {
  insert(row: NewRow<Row, Defaulted>): Promise<View>;
  insertMany(rows: NewRow<Row, Defaulted>[]): Promise<void>;
  update(uuid: string, changes: Partial<Omit<Row, Generated | 'uuid' | 'state'>>): Promise<View>;
  softDelete(uuid: string): Promise<void>;
}

export interface TransitionOptions<Row> {
  /** Further columns to write in the same statement. */
  set?: Partial<Omit<Row, Generated | 'uuid' | 'state'>>;
  /** Only when the row (for an action: its plan) still has this fencing number; else LeaseLostError. */
  fence?: number;
}

/** A lease taken together with a state change. */
export interface LeaseRequest {
  /** Registry id of the process. */
  instance: string;
  /** Value for the row's `hostname`. */
  host: string;
  ttlMs: number;
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

export interface LeasedRepository<View> {
  /**
   * Takes the work: PENDING → ONGOING with a new fencing number from `fence_seq` and an expiry by database time. Answers
   * null when it is not to be had (another state, or `launchSeq` is not the row's).
   */
  claim(uuid: string, lease: LeaseRequest, options?: { launchSeq?: number }): Promise<View | null>;
  /** Takes work over whose lease has expired (ONGOING, for plans also CANCELLING). Null when its holder is alive. */
  takeOver(uuid: string, lease: LeaseRequest): Promise<View | null>;
  /** Renews by database time; false when `fence` is no longer the row's. */
  renewLease(uuid: string, fence: number, ttlMs: number): Promise<boolean>;
  /** Lets the lease expire at once so that another process may continue. */
  releaseLease(uuid: string, fence: number): Promise<void>;
  /**
   * Uuids to look at: PENDING for longer than `pendingMs` (CONTINUOUS audits: as soon as they are due; EVENT audits never,
   * their trigger is a message), or due with an expired lease. Oldest first, at most `limit`.
   */
  findClaimable(options: { pendingMs: number; limit: number }): Promise<{ uuid: string; expired: boolean }[]>;
}

export interface ActionRepository extends StatefulRepository<Action, ActionView, ActionEvent, ActionDefaults> {
  /** All live actions of a plan in order of id. */
  listByPlan(actionPlanUuid: string): Promise<ActionView[]>;
  /** Every PENDING action of the plan becomes CANCELLED; answers how many. */
  cancelPending(actionPlanUuid: string, options: { statusMessage?: string; fence?: number }): Promise<number>;
}

export type AuditTemplateDefaults = 'description' | 'strategyId' | 'scope' | 'defaultParameters';
export type AuditDefaults =
  | 'state'
  | 'parameters'
  | 'interval'
  | 'strategyId'
  | 'scope'
  | 'autoTrigger'
  | 'nextRunTime'
  | 'hostname'
  | 'startTime'
  | 'endTime'
  | 'force'
  | 'statusMessage'
  | 'runInstance'
  | 'fence'
  | 'leaseExpiresAt'
  | 'attempts'
  | 'failedRuns'
  | 'report';
export type ActionPlanDefaults =
  | 'state'
  | 'globalEfficacy'
  | 'hostname'
  | 'statusMessage'
  | 'onFailure'
  | 'rollbackState'
  | 'rollbackMessage'
  | 'launchSeq'
  | 'runInstance'
  | 'fence'
  | 'leaseExpiresAt'
  | 'outcome'
  | 'paused'
  | 'abortRunning'
  | 'holdUntil'
  | 'windowStart'
  | 'windowEnd'
  | 'windowCron'
  | 'windowSeconds'
  | 'maxWorkers'
  | 'maxMigrations';
export type ActionDefaults =
  | 'state'
  | 'parents'
  | 'statusMessage'
  | 'reason'
  | 'rollbackState'
  | 'rollbackMessage'
  | 'startedAt'
  | 'endedAt'
  | 'endReason';

/** Heartbeats of Watcher's `services` table. */
export interface ServiceRepository {
  /** Writes `last_seen_up` by database time, creating the row on the first beat. */
  beat(name: string, host: string): Promise<void>;
  get(ident: string): Promise<ServiceView>;
  list(query?: ListQuery<ServiceView>): Promise<ServiceView[]>;
}

/** `status` is judged by database time: ACTIVE when seen within `service_down_time` (90 s). */
export type ServiceView = Service & { status: 'ACTIVE' | 'FAILED' };

/** A message to be sent when the transaction commits; see the catalogue in `#libs/messaging`. */
export interface OutboxMessage {
  /** Becomes the message id; made by the caller. */
  eventId: string;
  /** Name in the message catalogue, such as `plan.launch`. */
  type: string;
  body: JsonObject;
  /** Correlation id of the request that caused it. */
  requestId?: string | null;
  /** Seconds after which it is sent; default 0. */
  delaySeconds?: number;
}

export interface OutboxRow extends Omit<OutboxMessage, 'delaySeconds'> {
  id: number;
  createdAt: Date;
  attempts: number;
}

export interface Outbox {
  add(message: OutboxMessage): Promise<void>;
}

/** What the relay needs; each call is its own transaction. */
export interface OutboxQueue {
  /**
   * Locks up to `limit` due rows (SKIP LOCKED, oldest first), hands them to `publish`, which answers for each row
   * whether the broker confirmed it or with what text it failed, and marks them in the same transaction. Failed rows
   * are due again after a back-off of 1 s doubling to 60 s. Answers how many rows were taken.
   */
  drain(limit: number, publish: (rows: OutboxRow[]) => Promise<(true | string)[]>): Promise<number>;
  /** Unpublished rows and the age of the oldest in seconds (0 when there are none). */
  backlog(): Promise<{ count: number; oldestSeconds: number }>;
  /** Deletes published rows older than `ageSeconds`; answers how many. */
  prune(ageSeconds: number): Promise<number>;
  /** Calls `wake` after each commit that added rows (LISTEN/NOTIFY; a hint only). Answers the stop function. */
  onAdded(wake: () => void): Promise<() => Promise<void>>;
}

export interface Inbox {
  /** Records a consumed message; false when this consumer has had it already. */
  record(consumer: string, messageId: string): Promise<boolean>;
  /** Forgets messages consumed more than `ageSeconds` ago; answers how many. Keep longer than a message can be late. */
  prune(ageSeconds: number): Promise<number>;
}

/** A request that was carried out under an idempotency key. */
export interface KeyedRequest {
  /** Who sent it; keys of different callers have nothing to do with each other. */
  caller: string;
  key: string;
  /** Digest of everything that makes it the same request. */
  requestHash: string;
}

/** What was answered; `body` is the text as sent. */
export interface KeyedAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answers to requests with an idempotency key, so that a repeated request is answered alike and done once. */
export interface IdempotencyKeys {
  /** Null when the key is new; `answer` is null while the request runs or when its process died before it answered. */
  find(caller: string, key: string): Promise<{ requestHash: string; answer: KeyedAnswer | null } | null>;
  /** Takes the key in the transaction of the change itself; waits for another transaction that has it. False when taken. */
  claim(request: KeyedRequest): Promise<boolean>;
  /** Keeps the answer with a key that was claimed. */
  keepAnswer(caller: string, key: string, answer: KeyedAnswer): Promise<void>;
  /** Forgets keys older than `ageSeconds`; answers how many. */
  prune(ageSeconds: number): Promise<number>;
}

/** One applier's run of a plan. */
export interface PlanRunEntry {
  runNo: number;
  /** Registry id of the applier. */
  instance: string;
  fence: number;
  startedAt: Date;
  /** Null while it runs, and for ever when the applier was lost. */
  endedAt: Date | null;
  /** Final state of the plan, or `RELEASED`, `LEASE_LOST`, `BROKEN`; null as `endedAt`. */
  outcome: string | null;
}

/** Execution history of plans: one row per claim or take-over. */
export interface PlanRuns {
  begin(run: { actionPlanId: number; instance: string; fence: number }): Promise<{ runNo: number }>;
  end(actionPlanId: number, fence: number, outcome: string): Promise<void>;
  /** Runs of the plan, oldest first. */
  list(actionPlanId: number): Promise<PlanRunEntry[]>;
  /** Runs of the plan, without those that ended as `except`. */
  count(actionPlanId: number, options?: { except?: string }): Promise<number>;
}

/** Journal of an action's attempts; see `ActionAttemptJournal`. */
export interface ActionAttempts {
  /** Opens attempt `max + 1`. */
  begin(actionId: number, fence: number): Promise<ActionAttemptJournal>;
  /** The newest attempt, null when the action was never tried. */
  latest(actionId: number): Promise<ActionAttemptJournal | null>;
  /** Merges `intent` or `result` into the attempt and sets `phase` and `externalRef`; guarded by `fence`. */
  write(
    attemptId: number,
    fence: number,
    entry: { phase: string; intent?: JsonObject; result?: JsonObject; externalRef?: string; ended?: boolean },
  ): Promise<void>;
}

/** Named leases for work that only one process may do, such as `leader:decision-engine`. */
export interface Leases {
  /** Takes or renews; null while another holder's lease is valid. */
  acquire(resource: string, holder: string, ttlMs: number): Promise<{ fence: number } | null>;
  renew(resource: string, fence: number, ttlMs: number): Promise<boolean>;
  release(resource: string, fence: number): Promise<void>;
}

/** A plugin that a process was told to load and could not. */
export interface PluginFault {
  /** As in `services`. */
  serviceName: string;
  host: string;
  /** Entry of `VIGIL_PLUGINS`. */
  plugin: string;
  reason: string;
  at: Date;
}

/** What processes report of broken plugins; a process replaces its own report when it starts. */
export interface PluginFaults {
  report(serviceName: string, host: string, faults: Pick<PluginFault, 'plugin' | 'reason'>[]): Promise<void>;
  /** By service, host and plugin. */
  list(): Promise<PluginFault[]>;
}

/** A limit and how many may be within it at once. */
export interface Slot {
  name: string;
  limit: number;
}

/** Places in limits that hold across all processes, such as migrations out of one host. Each is kept by a lease. */
export interface Slots {
  /**
   * Takes a place in all of `slots` or in none; a holder that has its place already keeps it. With `force` the limits do
   * not matter. False when some limit is reached.
   */
  acquire(holder: string, slots: readonly Slot[], options: { ttlMs: number; force?: boolean }): Promise<boolean>;
  /** Renews all places of the holders. */
  renew(holders: readonly string[], ttlMs: number): Promise<void>;
  release(holder: string): Promise<void>;
}

/** An action that is to begin, and what its attempt begins with. */
export interface ActionBegin {
  uuid: string;
  startedAt: Date;
  intent: JsonObject;
}

/** An action that is to end. */
export interface ActionEnd {
  uuid: string;
  event: ActionEvent;
  statusMessage: string | null;
  endReason: ActionEndReason | null;
  endedAt: Date;
  /** Attempt that ends with it, in `phase`. */
  attempt?: { id: number; phase: string };
}

/** Many state changes of one plan's actions in one statement, all guarded by the plan's fencing number. */
export interface ActionBatches {
  /**
   * PENDING → ONGOING with a new attempt for each, as long as the plan is ONGOING and not paused. Answers the attempts by
   * the uuid of their action; an action that is not among them could not begin.
   * @throws LeaseLostError
   */
  begin(planUuid: string, fence: number, entries: readonly ActionBegin[]): Promise<Map<string, ActionAttemptJournal>>;
  /** Answers the uuids of those that were in a state that allows it. @throws LeaseLostError */
  end(planUuid: string, fence: number, entries: readonly ActionEnd[]): Promise<Set<string>>;
}

/** One numbered change. `revno` has no gaps and follows the commit order within `epoch`. */
export interface ChangeRow {
  epoch: number;
  revno: number;
  kind: string;
  entityUuid: string;
  op: 'create' | 'update' | 'delete';
  /** The row as stored, in column names; null for `delete`. */
  doc: JsonObject | null;
  /** The state before, when this change is one of the state. */
  oldState: string | null;
  at: Date;
}

export interface ChangeLog {
  /** Numbers what has become visible and answers the changes after `since`, oldest first. */
  read(since: { epoch: number; revno: number }, limit: number): Promise<ChangeRow[]>;
  /** The newest number and the oldest that is still kept; `newest + 1` when none is. */
  bounds(): Promise<{ epoch: number; oldest: number; newest: number }>;
  /** How far the reader has come; null for one that has read nothing yet. */
  position(reader: string): Promise<{ epoch: number; revno: number } | null>;
  /** Keeps how far the reader has come. */
  advance(reader: string, position: { epoch: number; revno: number }): Promise<void>;
  /** Deletes changes older than `ageSeconds`; answers how many. Readers that are further behind must start over. */
  prune(ageSeconds: number): Promise<number>;
}

/** Every store of one transaction. Everything done through it commits or rolls back together. */
export interface UnitOfWork {
  goals: Repository<Goal, Goal>;
  strategies: Repository<Strategy, StrategyView>;
  auditTemplates: Repository<AuditTemplate, AuditTemplateView, AuditTemplateDefaults>;
  audits: StatefulRepository<Audit, AuditView, AuditEvent, AuditDefaults> & LeasedRepository<AuditView>;
  actionPlans: StatefulRepository<ActionPlan, ActionPlanView, ActionPlanEvent, ActionPlanDefaults> &
    LeasedRepository<ActionPlanView>;
  actions: ActionRepository;
  efficacyIndicators: Repository<EfficacyIndicator, EfficacyIndicator & { actionPlanUuid: string }>;
  scoringEngines: Repository<ScoringEngine, ScoringEngine>;
  services: ServiceRepository;
  actionDescriptions: {
    list(): Promise<ActionDescription[]>;
    replaceAll(rows: { actionType: string; description: string; revertible?: Revertibility }[]): Promise<void>;
  };
  outbox: Outbox;
  inbox: Inbox;
  idempotencyKeys: IdempotencyKeys;
  planRuns: PlanRuns;
  actionAttempts: ActionAttempts;
  leases: Leases;
  slots: Slots;
  actionBatches: ActionBatches;
  pluginFaults: PluginFaults;
  /** The database's time. */
  now(): Promise<Date>;
  /** Holds a named advisory lock until the transaction ends. */
  lock(name: string): Promise<void>;
}

/**
 * The domain store. `db` runs each call in a transaction of its own; `transaction` groups calls and is tried again (at
 * most 3 times) on deadlock and serialization failures.
 */
export interface Store {
  db: UnitOfWork;
  transaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  outboxQueue: OutboxQueue;
  changes: ChangeLog;
  /** Writes and reads back a row on a primary; throws with the reason when it can not. */
  probe(): Promise<void>;
  /** Ends the pool after the transactions under way; more than one call does no harm. */
  close(): Promise<void>;
}
