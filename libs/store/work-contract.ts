import type {
  ActionAttemptJournal,
  ActionEndReason,
  ActionEvent,
  AuditVariants,
  EntityBase,
  JsonObject,
  PlanHosts,
  PlanObjective,
  Service,
} from '#libs/domain';
import type { ListQuery } from './reading/list-query.ts';

/** Heartbeats of Watcher's `services` table. */
export interface ServiceRepository {
  /** Writes `last_seen_up` by database time, creating the row on the first beat; one that was forgotten has its row again. */
  beat(name: string, host: string): Promise<void>;
  /** By id or name; of several services with the name the one that was added first, a live one before all others. */
  find(ident: string, options?: { showDeleted?: boolean }): Promise<ServiceView | null>;
  /** As `find`. @throws NotFoundError */
  get(ident: string): Promise<ServiceView>;
  list(query?: ListQuery<ServiceView>): Promise<ServiceView[]>;
}

/** `status` is judged by database time: ACTIVE when seen within `service_down_time` (90 s), to either side of now. */
export type ServiceView = Service & Pick<EntityBase, 'deletedAt'> & { status: 'ACTIVE' | 'FAILED' };

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

/** A message that waits in the outbox. */
export interface OutboxRow extends Omit<OutboxMessage, 'delaySeconds'> {
  id: number;
  createdAt: Date;
  attempts: number;
}

/** Messages that are sent with the transaction's commit. */
export interface Outbox {
  add(message: OutboxMessage): Promise<void>;
}

/** What the relay needs. */
export interface OutboxQueue {
  /**
   * Claims up to `limit` due rows (oldest first) for 15 s, hands them to `publish`, which answers for each row whether the
   * broker confirmed it or with what text it failed, and marks them; no transaction is open while it publishes. Failed rows
   * keep the text and are due again after a back-off of 1 s doubling to 60 s; those of a relay that died, when the claim
   * ends. Answers how many rows were taken.
   */
  drain(limit: number, publish: (rows: OutboxRow[]) => Promise<(true | string)[]>): Promise<number>;
  /** Unpublished rows and the age of the oldest in seconds (0 when there are none). */
  backlog(): Promise<{ count: number; oldestSeconds: number }>;
  /** Deletes published rows older than `ageSeconds`; answers how many. */
  prune(ageSeconds: number): Promise<number>;
  /** Calls `wake` after each commit that added rows (LISTEN/NOTIFY; a hint only). Answers the stop function. */
  onAdded(wake: () => void): Promise<() => Promise<void>>;
}

/** What was consumed, so that a message that comes twice is worked on once. */
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

/** Hosts before and after plans, as they were when each was made. */
export interface PlanHostsBook {
  /** What was stored first stays. */
  insert(actionPlanId: number, hosts: PlanHosts): Promise<void>;
  /** Null for a plan of which none are known. */
  find(actionPlanId: number): Promise<PlanHosts | null>;
}

/** What plans were to achieve when each was made. */
export interface PlanObjectives {
  /** What was stored first stays. */
  insert(actionPlanId: number, objective: PlanObjective): Promise<void>;
  /** Null for a plan whose strategy told no objective. */
  find(actionPlanId: number): Promise<PlanObjective | null>;
  /** Those of these plans that are points of a curve, with the budget of migrations of their point. */
  onCurve(actionPlanIds: readonly number[]): Promise<{ actionPlanId: number; budget: number }[]>;
}

/** Plans of other sizes that the last run of an audit found. */
export interface AuditVariantsBook {
  /** In the place of those of the run before; null: there are none. */
  replace(auditId: number, variants: AuditVariants | null): Promise<void>;
  find(auditId: number): Promise<AuditVariants | null>;
}

/** Journal of an action's attempts; see `ActionAttemptJournal`. */
export interface ActionAttempts {
  /** Opens attempt `max + 1`. */
  begin(actionId: number, fence: number): Promise<ActionAttemptJournal>;
  /** The newest attempt, null when the action was never tried. */
  latest(actionId: number): Promise<ActionAttemptJournal | null>;
  /** The newest attempt of each action of a plan that was tried. */
  latestOfPlan(actionPlanId: number): Promise<ActionAttemptJournal[]>;
  /** Merges `intent` or `result` into the attempt and sets `phase` and `externalRef`; guarded by `fence`. */
  write(
    attemptId: number,
    fence: number,
    entry: { phase: string; intent?: JsonObject; result?: JsonObject; externalRef?: string; ended?: boolean },
  ): Promise<void>;
}

/** A lease taken together with a state change. */
export interface LeaseRequest {
  /** Registry id of the process. */
  instance: string;
  /** Value for the row's `hostname`. */
  host: string;
  ttlMs: number;
}

/** Named leases for work that only one process may do, such as `leader:decision-engine`. */
export interface Leases {
  /** Takes or renews; null while another holder's lease is valid. */
  acquire(resource: string, holder: string, ttlMs: number): Promise<{ fence: number } | null>;
  renew(resource: string, fence: number, ttlMs: number): Promise<boolean>;
  release(resource: string, fence: number): Promise<void>;
  /** Whether the lease is valid under `fence`; in a transaction, nobody else can take it before that ends. */
  confirm(resource: string, fence: number): Promise<boolean>;
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
  /** What happened to the run of an audit whose state stays the same; null for all other changes. */
  runPhase: 'begun' | 'succeeded' | 'failed' | null;
  at: Date;
}

/** Every change, numbered in the order of commits. */
export interface ChangeLog {
  /** Numbers what has become visible and answers the changes after `since`, oldest first. */
  read(since: { epoch: number; revno: number }, limit: number): Promise<ChangeRow[]>;
  /** The newest number and the oldest that is still kept; `newest + 1` when none is. */
  bounds(): Promise<{ epoch: number; oldest: number; newest: number }>;
  /** How far the reader has come; null for one that has read nothing yet. */
  position(reader: string): Promise<{ epoch: number; revno: number } | null>;
  /** Keeps how far the reader has come. */
  advance(reader: string, position: { epoch: number; revno: number }): Promise<void>;
  /**
   * Deletes changes older than `ageSeconds` that every live watcher has seen, and the oldest beyond `maxKept` (default
   * 200,000) whoever has not; answers how many. Readers that are further behind must start over.
   */
  prune(ageSeconds: number, maxKept?: number): Promise<number>;
}
