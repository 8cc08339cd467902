import { setTimeout as sleep } from 'node:timers/promises';

/** An entry of the simulator's request log, as far as it is looked at. */
export interface LoggedRequest {
  number: number;
  method: string;
  path: string;
  body: Record<string, unknown> | null;
  /** The simulator's own id, which its migration records name. */
  requestId: string;
  globalRequestId: string | null;
  status: number | null;
  /** Milliseconds of the epoch. */
  at: number;
  pending: boolean;
  doneAt: number | null;
}

/** A request with which an action (or the rollback of one) asked for a change. */
export interface Mutation {
  action: string;
  /** First key of the body, or the method: what was asked for. */
  what: string;
  request: LoggedRequest;
}

/** What the simulated cloud was asked to change, read bit by bit, as it grows long. */
export interface CloudLog {
  /** Reads what is new. */
  refresh(): Promise<void>;
  mutations(): readonly Mutation[];
  requests(): Iterable<LoggedRequest>;
  /** Waits until none of these actions has a request that may still take effect; `isOver` ends the wait. */
  quiet(actions: ReadonlySet<string>, isOver: () => boolean): Promise<void>;
}

const everyMs = 200;

/** @param read answers the entries after a number. */
export function followCloudLog(read: (since: number) => Promise<LoggedRequest[]>): CloudLog {
  const known = new Map<number, LoggedRequest>();
  const open = new Map<number, LoggedRequest>();
  let settledTo = 0;

  async function refresh(): Promise<void> {
    for (const request of await read(settledTo)) {
      known.set(request.number, request);
      if (request.pending) open.set(request.number, request);
      else open.delete(request.number);
    }
    while (known.get(settledTo + 1)?.pending === false) settledTo += 1;
  }
  return {
    refresh,
    requests: () => known.values(),
    mutations: () => [...known.values()].sort((one, other) => one.number - other.number).flatMap(mutationOf),
    async quiet(actions, isOver) {
      while (!isOver()) {
        await refresh();
        const asked = [...open.values()].flatMap(mutationOf);
        if (!asked.some(({ action }) => actions.has(action))) return;
        await sleep(everyMs);
      }
    },
  };
}

/** Nothing for requests that are no action's. */
export function mutationOf(request: LoggedRequest): Mutation[] {
  const [, action] = /^req-([0-9a-f-]{36})$/.exec(request.globalRequestId ?? '') ?? [];
  if (!action) return [];
  const what = request.path.endsWith('/action') ? (Object.keys(request.body ?? {})[0] ?? '') : request.method;
  return [{ action, what, request }];
}

/** Whether the cloud took it: it has taken effect, or will. */
export function isAccepted({ request }: Mutation): boolean {
  return request.status !== null && request.status < 300;
}
