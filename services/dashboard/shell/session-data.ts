import { QueryClient } from '@tanstack/react-query';
import { createVigilClient, VigilApiError } from '#libs/client';
import { apiUrl } from '../api/base-url.ts';
import { createIsClosed } from '../api/closed-routes.ts';
import { createDashboardFetch } from '../api/dashboard-fetch.ts';
import { createInternalCall } from '../api/internal.ts';
import type { Session } from '../api/session.ts';
import type { DashboardData } from '../live/dashboard-context.tsx';
import { firstKinds, mayFollow } from '../live/live-kinds.ts';
import { createLiveStore } from '../live/live-store.ts';
import { startFirstReads } from './first-reads.ts';

/** Longest wait for an API response in milliseconds. Dry runs over large clouds take long. */
const requestLimitMs = 120_000;

/** The data of a session, with its running reads. */
export interface SessionData {
  data: DashboardData;
  queries: QueryClient;
  /** Calls `listener` when the API refuses a request because the session has ended, also for earlier refusals. */
  onRefused(listener: () => void): void;
}

const known = new WeakMap<Session, SessionData>();

/** The data of a session. The first call for a session starts its first reads. */
export function dataOfSession(session: Session): SessionData {
  const made = known.get(session) ?? createData(session);
  known.set(session, made);
  return made;
}

function createData(session: Session): SessionData {
  let isRefused = false;
  let notify = () => {
    isRefused = true;
  };
  const send = createDashboardFetch(() => notify(), createIsClosed(session.routes));
  const data: DashboardData = {
    client: createVigilClient({ url: apiUrl(), fetch: send, timeoutMs: requestLimitMs }),
    internal: createInternalCall(send, requestLimitMs),
    live: createLiveStore(firstKinds(session.permissions), (kind) => mayFollow(kind, session.permissions)),
    readPositions: new Map(),
    session,
  };
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: mayHelp, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  startFirstReads(queries, data);
  return {
    data,
    queries,
    onRefused(listener) {
      notify = listener;
      if (isRefused) listener();
    },
  };
}

/** Retries once if a retry may help: refused requests are refused again. */
function mayHelp(failures: number, error: unknown): boolean {
  const isRefused = error instanceof VigilApiError && error.status >= 400 && error.status < 500;
  return failures < 1 && !isRefused;
}
