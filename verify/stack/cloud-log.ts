import { setTimeout as sleep } from 'node:timers/promises';

/** An entry of the simulator's request log, limited to the checked fields. */
export interface LoggedRequest {
  number: number;
  method: string;
  path: string;
  body: Record<string, unknown> | null;
  /** The simulator's id, which its migration records name. */
  requestId: string;
  globalRequestId: string | null;
  status: number | null;
  /** Milliseconds of the epoch. */
  at: number;
  pending: boolean;
  doneAt: number | null;
}

/** A request for a change by an action or its rollback. */
export interface Mutation {
  action: string;
  /** First key of the body, or the method: the kind of change. */
  what: string;
  request: LoggedRequest;
}

/** Changes requested from the simulated cloud. Its long log is read incrementally. */
export interface CloudLog {
  /** Reads the new entries. */
  refresh(): Promise<void>;
  mutations(): readonly Mutation[];
  requests(): Iterable<LoggedRequest>;
  /**
   * Waits until no request of these actions may still take effect, and no other request about these things (`ids`, as
   * in paths). `isOver` ends the wait.
   */
  quiet(of: { actions: ReadonlySet<string>; ids: readonly string[] }, isOver: () => boolean): Promise<void>;
}

const everyMs = 200;

/** @param read returns the entries after a number */
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
    async quiet({ actions, ids }, isOver) {
      const concerns = (request: LoggedRequest) =>
        mutationOf(request).some(({ action }) => actions.has(action)) ||
        (request.method !== 'GET' && ids.some((id) => request.path.includes(id)));
      while (!isOver()) {
        await refresh();
        if (![...open.values()].some(concerns)) return;
        await sleep(everyMs);
      }
    },
  };
}

/** Returns nothing for requests without an action. */
export function mutationOf(request: LoggedRequest): Mutation[] {
  const [, action] = /^req-([0-9a-f-]{36})$/.exec(request.globalRequestId ?? '') ?? [];
  if (!action) return [];
  const what = request.path.endsWith('/action') ? (Object.keys(request.body ?? {})[0] ?? '') : request.method;
  return [{ action, what, request }];
}

/** Returns whether the cloud accepted it: it has taken effect, or will. */
export function isAccepted({ request }: Mutation): boolean {
  return request.status !== null && request.status < 300;
}
