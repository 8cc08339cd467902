import type { ActionAttemptJournal, Clock, JsonObject, Logger } from '#libs/domain';
import type { AccessRule, Cloud } from '#libs/openstack';

/** Result of `preCondition`: continue, or there is nothing to do (the action becomes SKIPPED with this reason). */
export type PreConditionResult = { go: true } | { go: false; skip: string };

/** Meaning of a check the cloud after an attempt that may have been interrupted. */
export type ProbeResult = 'not_started' | 'in_progress' | 'applied' | 'failed' | 'unknown';

/** How well `revert` restores the state before. */
export type Revertibility = 'exact' | 'best-effort' | 'impossible';

/** Everything an action may touch. */
export interface ActionContext<Input = JsonObject> {
  uuid: string;
  /** Valid for the action's schema. */
  input: Input;
  cloud: Cloud;
  journal: {
    current(): ActionAttemptJournal;
    /** Stored before an outside change is made. */
    intent(entry: JsonObject): Promise<void>;
    /** Stored after its reply. */
    result(entry: JsonObject, externalRef?: string): Promise<void>;
  };
  /**
   * Must be awaited immediately before every outside change. Throws LeaseLostError when the run has been taken over.
   */
  guard(): Promise<void>;
  /** Fires when the deadline is over, the run was taken over, or the process stops. */
  signal: AbortSignal;
  /** End of the time budget of the attempt, in milliseconds of `clock`. */
  deadlineMs: number;
  /** The database's time, equal for all processes and steady. Times in the journal are valid for a successor too. */
  clock: Clock;
  /** Waits. Rejects when `signal` fires. Simulated clouds with accelerated time shorten it. */
  sleep(ms: number): Promise<void>;
  /** Progress shown to users while it runs, 0 to 1. */
  progress(fraction: number): void;
  options: ActionOptions;
  log: Logger;
}

/** Facts from which an action derives the requests that it may send. */
export type AccessScope<Input = JsonObject> = Pick<ActionContext<Input>, 'input' | 'cloud'>;

/** Configuration of waiting, shared by all action types. */
export interface ActionOptions {
  /** Time between two polls of a running operation. Default 5000. */
  pollIntervalMs: number;
  /** Time budget of a migration. Default 900000 (Watcher's 180 polls of 5 s). */
  migrationTimeoutMs: number;
  /** Time budget of the migration or change of type of a volume. Default 21600000 (6 h). */
  volumeMigrationTimeoutMs?: number;
  /**
   * How long a request without a response may still take effect, in milliseconds of the real clock. Default 120000.
   * Until then the cloud is checked before the request is repeated or the action ends.
   */
  lateEffectMs?: number;
  /** Time budget of `delete` in milliseconds. Default 15000. */
  deleteTimeoutMs?: number;
  /** Time budget of `shelve` in milliseconds. Default 15000. */
  shelveTimeoutMs?: number;
  /** Whether servers that are shut off do not keep their host from being powered off. Default false. */
  powerOffIgnoresShutoff?: boolean;
}

/** Needs of the way back of an action at hosts, named by their compute service. */
export interface RevertUse {
  /** Moves something to this host, which Nova allows only while the host's service is enabled. */
  movesTo?: string;
  /** Changes whether the service of this host is enabled, to `enables`. */
  service?: { host: string; enables: boolean };
}

/** Journal of the attempts of an action, before and after their outside changes. */
export type JournalEntries = Pick<ActionAttemptJournal, 'intent' | 'result'>;

/**
 * An action type. `execute` returns true exactly when the change took effect and was verified. A thrown error or false
 * makes the action FAILED. All methods are safe to be called again after a crash.
 */
export interface ActionPlugin<Input = JsonObject> {
  kind: 'action';
  /** Value of `action_type`. */
  name: string;
  /** Stored in `action_descriptions`. */
  description: string;
  /** JSON Schema (draft 4) of `input_parameters`. */
  schema: JsonObject;
  revertible: Revertibility;
  abortable: boolean;
  /**
   * Time budget of one attempt in milliseconds, at least 0. An action whose plugin throws here or in `occupies` is
   * FAILED before it starts.
   */
  timeoutMs(input: Input, options: ActionOptions): number;
  /**
   * Hosts and resources it occupies, for parallel limits: names such as `source:<host>`, `destination:<host>`,
   * `resource:<id>`.
   */
  occupies(input: Input): string[];
  /**
   * Every request that the action, its abort and its way back may send, reads included, for a plan that runs with
   * a separate credential. Common reads of Nova (`computeReads`) are granted to every plan. It reads only, with
   * the standing credentials. Null, or absent: not declared. Such a plan is refused before its start.
   */
  access?(scope: AccessScope<Input>): Promise<readonly AccessRule[] | null>;
  preCondition(context: ActionContext<Input>): Promise<PreConditionResult>;
  /**
   * Called after a successful `preCondition` when an earlier action failed. Returns whether the result of that action,
   * such as room on a host, exists anyway. Reads only. Absent: `preCondition` covers it.
   */
  reconsider?(context: ActionContext<Input>): Promise<PreConditionResult>;
  execute(context: ActionContext<Input>): Promise<boolean>;
  postCondition(context: ActionContext<Input>): Promise<void>;
  /** Reads only. */
  probe(context: ActionContext<Input>): Promise<ProbeResult>;
  /** Continues to wait for an operation that an earlier attempt requested. Same result as `execute`. */
  waitFor(context: ActionContext<Input>): Promise<boolean>;
  /**
   * Intent of a request that the journal lacks, as after a fail-over to a database server without the newest
   * transactions. Null when the service shows no such request of ours. Reads only. Absent: nothing can be found.
   * @param since time before which the request cannot have been made. Null when the action has started: its
   * pre-condition held then.
   */
  findLost?(context: ActionContext<Input>, since: Date | null): Promise<JsonObject | null>;
  /** Undoes a finished action. True when the former state is restored. */
  revert(context: ActionContext<Input>): Promise<boolean>;
  /** Needs of `revert` at hosts, so that reverts come in an order that Nova accepts. Absent: nothing. */
  revertUse?(input: Input): RevertUse;
  /**
   * Called before an operator's rollback reverts a finished action, possibly long after it. Returns whether the effect
   * still exists and can be reverted now. Reads only. The journal is that of the finished action. Absent: the rollback
   * is tried in any case.
   */
  revertCondition?(context: ActionContext<Input>): Promise<PreConditionResult>;
  /**
   * Effect of `revert`, as text, such as "Moves instance vm-1 back to host-a". Null when this very action cannot be
   * undone. Absent: a general text.
   */
  describeRevert?(input: Input, journal: JournalEntries): string | null;
  /** Why such an action cannot be undone, and the next step, as text. Absent: a general text. */
  describeIrreversible?(input: Input): string;
  /** As `abort`, for a running `revert`. Absent: it is waited for. */
  abortRevert?(context: ActionContext<Input>): Promise<boolean>;
  /** True when the running operation was aborted, false when it was too late. */
  abort(context: ActionContext<Input>): Promise<boolean>;
}
