import type {
  Action,
  ActionPlan,
  ActionPlanApproval,
  Audit,
  AuditTemplate,
  Goal,
  ScoringEngine,
  Service,
  Strategy,
} from './entities.ts';
import { VigilApiError } from './errors.ts';
import { readEventStream, type ServerEvent } from './event-stream.ts';
import { createAttempts } from './patience.ts';
import type { Transport } from './transport.ts';

/** Kinds of entities that can be followed, with their bodies of GET. */
export interface WatchedEntities {
  goal: Goal;
  strategy: Strategy;
  scoring_engine: ScoringEngine;
  service: Service;
  /** As `GET /internal/tasks/{uuid}` has it. May change with every build. */
  task: { uuid: string; name: string; state: string; [field: string]: unknown };
  audit_template: AuditTemplate;
  audit: Audit;
  /**
   * With `progress` (by the states of its actions), `outcome` (as `GET /v1/action_plans/{id}/outcome`), `approval`
   * (as `GET /v1/action_plans/{id}/approval`) and the number of its `comments`. An API of an earlier release does not
   * send the last two.
   */
  action_plan: ActionPlan & {
    progress: WatchedPlanProgress;
    outcome: Record<string, unknown>;
    approval?: Omit<ActionPlanApproval, 'action_plan_uuid' | 'state'>;
    comments?: number;
  };
  /** `progress` is the completed fraction (0 to 1) while the action runs and its applier reports it. */
  action: Action & { progress?: number };
  /** A process of the service. The fields may change with every build, as of all that follow. */
  service_instance: { uuid: string; name: string; host: string; state: string; [field: string]: unknown };
  /** One entity, which changes with every edge. `GET /internal/services/graph` has them. */
  resource_graph: { id: 'graph'; edges: number; [field: string]: unknown };
  /** Summary of a model of the cloud: age, completeness, counts, spread of the load. */
  data_model: { id: string; taken_at: string; complete: boolean; gaps: string[]; [field: string]: unknown };
  /** Number of dead letters (`GET /internal/dead-letters`) and of failed background tasks. */
  dead_letters: { id: 'bus'; count: number; failed_tasks: number; [field: string]: unknown };
  /** An entry of the audit log. The full state has the newest 100, and none is ever removed. */
  audit_log: { uuid: string; at: string; operation: string; status: number | null; [field: string]: unknown };
  /** A rule of the operator, as `GET /internal/placement-rules/{uuid}` has it. */
  placement_rule: { uuid: string; name: string; kind: string; enabled: boolean; [field: string]: unknown };
}

/** How much of a plan is done. `percent` 0 to 100. */
export interface WatchedPlanProgress {
  total: number;
  ended: number;
  running: number;
  percent: number;
  by_state: Record<string, number>;
}

/** Name of a kind. */
export type WatchedKind = keyof WatchedEntities;

/** Remains of an entity that was removed or no longer matches: its uuid (services: id) and last known key fields. */
export interface RemovedEntity {
  uuid?: string;
  id?: number | string;
  name?: string;
  state?: string;
  audit_uuid?: string;
  action_plan_uuid?: string;
}

/** Change of one entity. A `remove` may name an entity that the stream never sent. */
export type Delta =
  | { [Kind in WatchedKind]: [kind: Kind, what: 'change', entity: WatchedEntities[Kind]] }[WatchedKind]
  | [kind: WatchedKind, what: 'remove', entity: RemovedEntity];

/** Changes that belong together. */
export interface WatchEvent {
  /** `snapshot`: a part of the full state. `deltas`: the changes since. */
  type: 'snapshot' | 'deltas';
  /** Whether this starts the full state anew: discard all earlier events. */
  begins: boolean;
  /** Whether the events so far are the state at one place in the log. False in the middle of a large change. */
  isComplete: boolean;
  /** Place after a complete state, to continue from with `since`. */
  position: string | null;
  /** Oldest first, each entity once. */
  deltas: Delta[];
}

/** Selection to follow. Everything that the caller may read by default. */
export interface WatchOptions {
  kinds?: readonly WatchedKind[];
  uuids?: readonly string[];
  /** This audit, its plans and their actions. */
  audit?: string;
  /** This plan and its actions. */
  plan?: string;
  /** States of audits, plans and actions. */
  states?: readonly string[];
  scope?: string;
  /**
   * The full state has only audits and plans that are open, and actions that run. Changes are reported for everything.
   */
  open?: boolean;
  /** A `position`: only the changes since. Without it, the stream starts with the full state. */
  since?: string;
  /** Ends the iteration without an error. */
  signal?: AbortSignal;
  /** Called when the stream is open, and with the reason when it was lost and reconnects. */
  onConnection?: (state: 'open' | 'reconnecting', reason?: Error) => void;
  /** Milliseconds after which a lost connection fails. Default: never. */
  maxDownMs?: number;
}

/** The server gives a sign of life every 15 s. */
const idleMs = 45_000;

/**
 * Follows all changes. Reconnects after a loss and continues at the same place. When the server no longer has that
 * place, the stream restarts with the full state.
 * @throws VigilApiError when the request is refused, or without a response for `maxDownMs`
 */
export async function* watchChanges(send: Transport, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
  const { signal } = options;
  const cursor = { position: options.since ?? null };
  const attempts = createAttempts({
    signal,
    maxDownMs: options.maxDownMs ?? Number.POSITIVE_INFINITY,
    onDown: (reason) => options.onConnection?.('reconnecting', reason),
  });
  while (!signal?.aborted) {
    try {
      for await (const event of followOnce(send, options, cursor)) {
        attempts.succeeded();
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (mustStartOver(error)) cursor.position = null;
      await attempts.failed(asLost(error));
      continue;
    }
    // The process restarts, or requires the token again.
    await attempts.pause();
  }
}

/** The events of one connection. Keeps in `cursor` where it was. */
async function* followOnce(
  send: Transport,
  options: WatchOptions,
  cursor: { position: string | null },
): AsyncGenerator<WatchEvent> {
  // Ends the request also when the consumer has stopped iterating.
  const ending = new AbortController();
  const stop = () => ending.abort();
  options.signal?.addEventListener('abort', stop);
  try {
    const init = { method: 'GET', signal: ending.signal };
    const response = await send(pathOf(options, cursor.position), init, { isStream: true });
    if (!response.body) throw new VigilApiError('unreachable', response.status, 'the response has no body');
    options.onConnection?.('open');
    let begins = cursor.position === null;
    for await (const event of readEventStream(response.body, idleMs)) {
      if (event.event === 'reset') throw resetOf(event);
      const reported = eventOf(event, begins);
      begins = false;
      cursor.position = reported.position ?? cursor.position;
      yield reported;
    }
  } finally {
    options.signal?.removeEventListener('abort', stop);
    ending.abort();
  }
}

function pathOf({ kinds, uuids, audit, plan, states, scope, open }: WatchOptions, since: string | null): string {
  const query = {
    kinds: kinds?.join(),
    uuids: uuids?.join(),
    audit,
    plan,
    states: states?.join(),
    scope,
    since,
    open: open ? 'true' : undefined,
  };
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, value] as [string, string]],
  );
  const text = new URLSearchParams(given).toString();
  return `/v1/watch${text === '' ? '' : `?${text}`}`;
}

function eventOf({ id, event, data }: ServerEvent, begins: boolean): WatchEvent {
  const { deltas, more } = JSON.parse(data) as { deltas: Delta[]; more: boolean };
  const type = event === 'snapshot' ? 'snapshot' : 'deltas';
  return { type, begins: begins && type === 'snapshot', isComplete: !more, position: id, deltas };
}

function resetOf({ data }: ServerEvent): VigilApiError {
  const { code, message } = JSON.parse(data) as { code: string; message: string };
  return new VigilApiError('refused', code === 'resync_required' ? 410 : 503, `${code}: ${message}`);
}

/** A broken or silent stream reports it with the error of its connection. */
function asLost(error: unknown): VigilApiError {
  if (error instanceof VigilApiError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new VigilApiError('unreachable', 0, `the stream was lost: ${text}`, { cause: error });
}

/** The place is too old, or of another log. */
function mustStartOver(reason: unknown): boolean {
  return reason instanceof VigilApiError && reason.status === 410;
}
