import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { createVigilClient, VigilApiError } from '#libs/client';
import { apiUrl } from './api/base-url.ts';
import { createIsClosed } from './api/closed-routes.ts';
import { createDashboardFetch } from './api/dashboard-fetch.ts';
import { createInternalCall } from './api/internal.ts';
import { returnToPlace } from './api/place-before.ts';
import { readSession, type Session, signOut } from './api/session.ts';
import { NoticesProvider } from './components/notices.tsx';
import { Failure, Loading } from './components/states.tsx';
import { connectLive } from './live/connect-live.ts';
import { type Dashboard, DashboardProvider } from './live/dashboard-context.tsx';
import { firstKinds, mayFollow } from './live/live-kinds.ts';
import { createLiveStore } from './live/live-store.ts';
import { Pages } from './pages.tsx';
import { text } from './texts/texts.ts';

// The session needs neither.
const SignInPage = lazy(async () => ({ default: (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage }));
const ChooseProjectPage = lazy(async () => ({
  default: (await import('./pages/sign-in/choose-project-page.tsx')).ChooseProjectPage,
}));

/** Longest wait for an API response in milliseconds. Dry runs over large clouds take long. */
const requestLimitMs = 120_000;

/** The dashboard: the sign-in page without a session, otherwise the pages. */
export function App() {
  return (
    <Suspense fallback={<Loading what={text('shell.thePage')} as="table" />}>
      <Entrance />
    </Suspense>
  );
}

function Entrance() {
  const [session, setSession] = useState<Session | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    readSession().then((found) => {
      if (found.signed_in) returnToPlace();
      setSession(found);
    }, setError);
  }, [attempt]);
  const notifyOthers = useOtherTabs(() => setAttempt((before) => before + 1));
  if (error !== null) {
    const retry = () => {
      setError(null);
      setAttempt(attempt + 1);
    };
    return <Failure title={text('session.unreachable')} error={error} onRetry={retry} />;
  }
  if (!session) return <Loading what={text('shell.theSession')} as="table" />;
  const enter = (next: Session) => {
    setSession(next);
    notifyOthers();
  };
  if (!session.signed_in)
    return <SignInPage hasEnded={hasEnded} webSso={session.web_sso ?? []} onSignedIn={setSession} />;
  if (session.auth === 'keystone' && session.project_id === null) return <ChooseProjectPage onChosen={enter} />;
  const leave = (ended: boolean) => {
    setEnded(ended);
    setSession({ ...session, signed_in: false });
  };
  return <SignedIn session={session} onEntered={enter} onSignedOut={() => leave(false)} onEnded={() => leave(true)} />;
}

/**
 * Tabs share a session. When a tab switches the project, the returned value notifies the others, and they read their
 * session again.
 */
function useOtherTabs(onNotice: () => void): () => void {
  const latest = useRef(onNotice);
  const [channel] = useState(() => new BroadcastChannel('vigil-session'));
  useEffect(() => {
    latest.current = onNotice;
  });
  useEffect(() => {
    channel.onmessage = () => latest.current();
    return () => {
      channel.onmessage = null;
    };
  }, [channel]);
  return () => channel.postMessage('changed');
}

/** Retries once if a retry may help: refused requests are refused again. */
function mayHelp(failures: number, error: unknown): boolean {
  const isRefused = error instanceof VigilApiError && error.status >= 400 && error.status < 500;
  return failures < 1 && !isRefused;
}

interface SignedInProps {
  session: Session;
  onEntered: (session: Session) => void;
  onSignedOut: () => void;
  /** The API no longer has the session. */
  onEnded: () => void;
}

function SignedIn({ session, onEntered, onSignedOut, onEnded }: SignedInProps) {
  const { dashboard, queries } = useMemo(() => {
    const send = createDashboardFetch(onEnded, createIsClosed(session.routes));
    const made: Dashboard = {
      client: createVigilClient({ url: apiUrl(), fetch: send, timeoutMs: requestLimitMs }),
      internal: createInternalCall(send, requestLimitMs),
      live: createLiveStore(firstKinds(session.permissions), (kind) => mayFollow(kind, session.permissions)),
      session,
      enter: onEntered,
      onEnded,
      signOut: () => signOut().then(onSignedOut),
    };
    const queryClient = new QueryClient({
      defaultOptions: { queries: { retry: mayHelp, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY } },
    });
    return { dashboard: made, queries: queryClient };
  }, [session]);
  useEffect(() => {
    const stop = new AbortController();
    void connectLive(dashboard.client, dashboard.live, stop.signal);
    return () => stop.abort();
  }, [dashboard]);
  return (
    <QueryClientProvider client={queries}>
      <DashboardProvider value={dashboard}>
        <NoticesProvider>
          <Pages />
        </NoticesProvider>
      </DashboardProvider>
    </QueryClientProvider>
  );
}
