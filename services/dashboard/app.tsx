import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { createVigilClient } from '#libs/client';
import { apiUrl } from './api/base-url.ts';
import { createDashboardFetch } from './api/dashboard-fetch.ts';
import { createInternalCall } from './api/internal.ts';
import { readSession, type Session, signOut } from './api/session.ts';
import { NoticesProvider } from './components/notices.tsx';
import { Failure, Loading } from './components/states.tsx';
import { connectLive } from './live/connect-live.ts';
import { type Dashboard, DashboardProvider } from './live/dashboard-context.tsx';
import { firstKinds, mayFollow } from './live/live-kinds.ts';
import { createLiveStore } from './live/live-store.ts';
import { SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { Pages } from './pages.tsx';

/** Longest wait in milliseconds for an answer of the API; dry runs over large clouds take long. */
const requestLimitMs = 120_000;

/** The dashboard: sign-in while nobody is signed in, else its pages. */
export function App() {
  const [session, setSession] = useState<Session | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    readSession().then(setSession, setError);
  }, [attempt]);
  if (error !== null) {
    const retry = () => {
      setError(null);
      setAttempt(attempt + 1);
    };
    return <Failure title="The API can not be reached" error={error} onRetry={retry} />;
  }
  if (!session) return <Loading what="session" />;
  if (!session.signed_in) return <SignInPage hasEnded={hasEnded} onSignedIn={setSession} />;
  const leave = (ended: boolean) => {
    setEnded(ended);
    setSession({ ...session, signed_in: false });
  };
  return <SignedIn session={session} onSignedOut={() => leave(false)} onEnded={() => leave(true)} />;
}

interface SignedInProps {
  session: Session;
  onSignedOut: () => void;
  /** The API no longer knows the session. */
  onEnded: () => void;
}

function SignedIn({ session, onSignedOut, onEnded }: SignedInProps) {
  const { dashboard, queries } = useMemo(() => {
    const send = createDashboardFetch(onEnded);
    const made: Dashboard = {
      client: createVigilClient({ url: apiUrl(), fetch: send, timeoutMs: requestLimitMs }),
      internal: createInternalCall(send, requestLimitMs),
      live: createLiveStore(firstKinds(session.permissions), (kind) => mayFollow(kind, session.permissions)),
      session,
      signOut: () => signOut().then(onSignedOut),
    };
    const queryClient = new QueryClient({
      defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY } },
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
