import type { JsonObject, ServiceInstanceEvent, ServiceInstanceState, ServiceRequestState } from '#libs/domain';

/** A process in the registry. */
export interface ServiceInstance {
  instanceId: string;
  /** Such as `watcher-applier`. */
  serviceType: string;
  /** The type, or `<type>#<n>` when several run on one host. */
  serviceName: string;
  host: string;
  pid: number;
  version: string;
  state: ServiceInstanceState;
  /** Digest of the configuration, including secrets, to detect changes. */
  configHash: string | null;
  /** Configuration without secrets. */
  config: JsonObject;
  fence: number;
  startedAt: Date;
  lastSeenAt: Date;
  leaseExpiresAt: Date;
  /** When it stopped, failed or was found lost. Null while it is alive. */
  endedAt: Date | null;
  endReason: string | null;
  /** Consecutive Checks without a response. */
  failedChecks: number;
  /** False for a process with an incompatible version. It cannot claim work. */
  acceptsWork: boolean;
  /** Neither ended nor with an expired lease, by database time. */
  isAlive: boolean;
}

/** The self-description of a process at its start. */
export type NewServiceInstance = Pick<
  ServiceInstance,
  'instanceId' | 'serviceType' | 'serviceName' | 'host' | 'pid' | 'version' | 'config' | 'configHash'
> & { ttlMs: number };

/** Names of life-cycle events. */
export const serviceEventTypes = [
  'service.starting',
  'service.started',
  'service.could_not_start',
  'service.stopping',
  'service.stopped',
  'service.failed',
  'service.uncaught_exception',
  'service.lost',
  'service.degraded',
  'service.slow',
  'host.slow',
  'service.resource_acquired',
  'service.resource_released',
  'service.config_changed',
] as const;
export type ServiceEventType = (typeof serviceEventTypes)[number];

/** An event of a service. Stored until its acknowledgement, and 30 days longer. */
export interface ServiceEvent {
  id: number;
  type: ServiceEventType;
  serviceType: string;
  serviceName: string;
  host: string;
  instanceId: string | null;
  /** Further details, such as `reason`, `work` or `errors`. */
  doc: JsonObject;
  at: Date;
  /** When the recovery coordinator handled it. Null until then. */
  acknowledgedAt: Date | null;
}

/** An event to report. */
export interface NewServiceEvent extends Omit<ServiceEvent, 'id' | 'at' | 'acknowledgedAt'> {
  /** Events with the same key count as one. */
  dedupeKey?: string;
}

/** A plan or an audit that an instance holds. */
export interface OwnedWork {
  kind: 'plan' | 'audit';
  uuid: string;
  state: string;
  /** Null for audits. */
  launchSeq: number | null;
  fence: number | null;
  /** By database time. */
  leaseExpired: boolean;
}

/** Desired state (registered on the host) compared with the observed state (lease and Check). */
export type ServiceStatus = 'Running' | 'StillRunning' | 'Failed' | 'NotRunning';

/** Expected and running processes: a row for each service and host. */
export interface ServiceStatusRow {
  serviceName: string;
  serviceType: string;
  host: string;
  status: ServiceStatus;
  registered: boolean;
  /** Set after a restart storm. It prevents automatic restarts. */
  degraded: boolean;
  /** The newest instance. */
  instance: ServiceInstance;
}

/**
 * `restart` ends the process so that its supervisor restarts it. `stop` ends it until `start` (or `restart`) is
 * requested.
 */
export type ServiceRequestKind = 'start' | 'stop' | 'restart';

/** A request to a service. */
export interface ServiceRequest {
  id: string;
  kind: ServiceRequestKind;
  serviceName: string;
  host: string;
  /** The instance that was running at the time of the request. */
  instanceId: string | null;
  state: ServiceRequestState;
  requestedBy: string;
  /** Why it was cancelled. */
  reason: string | null;
  requestedAt: Date;
  deadlineAt: Date;
  endedAt: Date | null;
}

/** Kinds of nodes and relations of the resource graph. */
export const graphKinds = [
  'Cluster',
  'Host',
  'ServiceType',
  'ServiceName',
  'ServiceInstance',
  'Config',
  'Plan',
  'Audit',
  'Collector',
  'Lease',
] as const;
export type GraphKind = (typeof graphKinds)[number];
/** Kinds of edges of the resource graph. */
export const graphRelations = ['supports', 'has', 'runs', 'stopping', 'owns', 'uses', 'supervises'] as const;
export type GraphRelation = (typeof graphRelations)[number];

/** An edge of the resource graph. Its nodes are the names in the edges. */
export interface GraphEdge {
  srcKind: GraphKind;
  srcId: string;
  rel: GraphRelation;
  dstKind: GraphKind;
  dstId: string;
  attributes: JsonObject;
  since: Date;
}
/** An edge to add. */
export type NewGraphEdge = Omit<GraphEdge, 'since' | 'attributes'> & { attributes?: JsonObject };

/** The response to a heartbeat. */
export interface ServiceBeat {
  state: ServiceInstanceState;
  acceptsWork: boolean;
  /** A waiting request for this instance. */
  request: ServiceRequest | null;
}

/** A recurring loop of a process, at its last heartbeat. */
export interface ProcessLoop {
  instanceId: string;
  /** Such as `outbox sweep`. */
  name: string;
  /** Pause between two runs. */
  everyMs: number;
  /** Length of the last run. */
  tookMs: number;
  /** End of the last run, by database time. */
  lastRunAt: Date;
  /** Consecutive failed runs. */
  failures: number;
  lastError: string | null;
}

/** Instances, events, requests and the resource graph. */
export interface ServiceRegistry {
  /**
   * Registers a process that holds the lock on its name, and declares a listed predecessor LOST. Adds
   * `service.starting`, `service.config_changed` when the configuration differs from the predecessor's, and the edges.
   * A process whose start was interrupted registers again with its id. @throws AlreadyExistsError when another live row
   * has the name (its holder holds no lock)
   */
  enlist(instance: NewServiceInstance): Promise<ServiceInstance>;
  /**
   * Records another configuration of a live instance, with the event `service.config_changed`. Does nothing for the
   * same one.
   */
  reconfigure(instanceId: string, configuration: Pick<NewServiceInstance, 'config' | 'configHash'>): Promise<void>;
  /** Renews the lease. Null when the row has ended (the process was declared lost). */
  beat(instanceId: string, ttlMs: number): Promise<ServiceBeat | null>;
  /**
   * Moves an instance through its life cycle, adds the event, and updates the graph. With `onlyExpired`, only if its
   * lease has expired. @throws StateConflictError, NotFoundError
   */
  transition(
    instanceId: string,
    event: ServiceInstanceEvent,
    options?: { reason?: string; doc?: JsonObject; dedupeKey?: string; ttlMs?: number; onlyExpired?: boolean },
  ): Promise<ServiceInstance>;
  /** Adds an event. False when its key exists. */
  report(event: NewServiceEvent): Promise<boolean>;
  /** Unacknowledged events, oldest first. */
  pendingEvents(limit: number): Promise<ServiceEvent[]>;
  acknowledge(eventId: number): Promise<void>;
  /** Newest first. */
  listEvents(options: { limit: number; beforeId?: number; serviceName?: string }): Promise<ServiceEvent[]>;
  /** Newest first. `liveOnly` leaves out ended entries. */
  listInstances(options?: { liveOnly?: boolean }): Promise<ServiceInstance[]>;
  findInstance(instanceId: string): Promise<ServiceInstance | null>;
  /** Live instances whose lease has expired or expires within `withinMs`, the oldest first. */
  expiringInstances(withinMs: number): Promise<ServiceInstance[]>;
  /** Counts a Check. A response resets the number of failed ones. Returns that number. */
  countCheck(instanceId: string, hasResponded: boolean): Promise<number>;
  /** Stores the state of the loops of a process. `ageMs` is the time since the last run. */
  noteLoops(
    instanceId: string,
    loops: readonly (Omit<ProcessLoop, 'instanceId' | 'lastRunAt'> & { ageMs: number })[],
  ): Promise<void>;
  /** Loops of live processes, by name, then service and host. */
  loops(): Promise<(ProcessLoop & Pick<ServiceInstance, 'serviceName' | 'host'>)[]>;
  setAcceptsWork(instanceId: string, accepts: boolean): Promise<void>;
  /** Number of starts of the service within the last `seconds`. */
  countStarts(serviceName: string, host: string, seconds: number): Promise<number>;
  /** Desired and observed state of every service that is registered or was seen within a day. */
  matrix(): Promise<ServiceStatusRow[]>;
  /** Plans and audits that the instance holds. */
  ownedWork(instanceId: string): Promise<OwnedWork[]>;

  /**
   * Requests a stop or (re)start. It cancels a waiting request of another kind for the same target. A stop of a
   * stopped process, and a start of a running one, succeed immediately.
   */
  request(
    request: Pick<ServiceRequest, 'id' | 'kind' | 'serviceName' | 'host' | 'requestedBy'> & { timeoutMs: number },
  ): Promise<ServiceRequest>;
  findRequest(id: string): Promise<ServiceRequest | null>;
  /** Declares for `ttlMs` that `keeper` restarts these services of the host, and starts them on request. */
  supervise(host: string, serviceNames: readonly string[], keeper: { name: string; ttlMs: number }): Promise<void>;
  /** Withdraws the declaration of `supervise`. */
  endSupervision(host: string, serviceNames: readonly string[]): Promise<void>;
  /** Whether a process that starts the service on request is present. */
  isSupervised(serviceName: string, host: string): Promise<boolean>;
  /** The newest request since the last start of the service. Null when there was none. */
  newestRequest(serviceName: string, host: string): Promise<ServiceRequest | null>;
  /** Ends requests past their time limit as TIMED_OUT. Returns their number. */
  endLateRequests(): Promise<number>;

  link(edge: NewGraphEdge): Promise<void>;
  unlink(edge: Partial<Omit<GraphEdge, 'since' | 'attributes'>>): Promise<number>;
  /** Number of edges, and when the newest was added. */
  graphSize(): Promise<{ edges: number; newest: Date | null }>;
  edges(filter?: Partial<Omit<GraphEdge, 'since' | 'attributes'>>, limit?: number): Promise<GraphEdge[]>;
}

/** One recovery job. Its phase is stored, so another coordinator can continue it. */
export interface RecoveryJob {
  /** Derived from the subject of the job. Jobs with the same key are the same job. */
  jobKey: string;
  rule: string;
  subject: JsonObject;
  phase: string;
  /** The findings of earlier phases. */
  data: JsonObject;
  startedAt: Date;
  deadlineAt: Date;
  endedAt: Date | null;
  outcome: string | null;
  ageMs: number;
  isLate: boolean;
}

/** One decision of the recovery coordinator. */
export interface RecoveryDecision {
  id: number;
  rule: string;
  jobKey: string;
  inputs: JsonObject;
  outcome: string;
  detail: string;
  durationMs: number;
  /** Fencing number of the coordinator's lease. */
  fence: number;
  decidedAt: Date;
}

/** Number of processes that ended during one piece of work. */
export interface WorkCrashes {
  /** Ends by an uncaught exception. */
  exceptions: number;
  /** Whether it was the only work at one of these ends. */
  alone: boolean;
  /** Ends without a report, such as by `kill -9`. */
  lost: number;
}

/** Jobs and decisions of the recovery coordinator. */
export interface RecoveryJobs {
  /**
   * Locks the lease against a change of its holder until the transaction ends. @throws LeaseLostError when it has
   * another fence
   */
  holdLease(resource: string, fence: number): Promise<void>;
  /** False when such a job exists. A job that ended more than `againAfterMs` ago is opened again. */
  openJob(
    job: Pick<RecoveryJob, 'jobKey' | 'rule' | 'subject' | 'phase'> & { timeLimitMs: number; againAfterMs?: number },
  ): Promise<boolean>;
  /** Keys of jobs that have not ended, oldest first. */
  openJobs(): Promise<string[]>;
  /** Locks the job until the transaction ends. Null when it has ended or another transaction holds it. */
  takeJob(jobKey: string): Promise<RecoveryJob | null>;
  advance(jobKey: string, phase: string, data: JsonObject): Promise<void>;
  endJob(jobKey: string, outcome: string): Promise<void>;
  decide(decision: Omit<RecoveryDecision, 'id' | 'decidedAt'>): Promise<void>;
  /** Newest first. */
  decisions(options: { limit: number; beforeId?: number; rule?: string }): Promise<RecoveryDecision[]>;
  listJobs(limit: number): Promise<RecoveryJob[]>;
  /** Whether a message for the plan or audit waits in the outbox or was sent within `seconds`. */
  hasMessage(work: { kind: 'plan' | 'audit'; uuid: string }, seconds: number): Promise<boolean>;
  /** Records that a process ended during the work with event `eventId`. Returns all such ends. Idempotent. */
  noteCrash(
    work: { kind: string; uuid: string },
    crash: { eventId: number; cause: 'exception' | 'lost'; alone: boolean },
  ): Promise<WorkCrashes>;
  /**
   * Deletes decisions, ended jobs, acknowledged events, ended instances and deleted services older than `ageSeconds`,
   * and services that were not seen for as long. Returns their number.
   */
  prune(ageSeconds: number): Promise<number>;
}
