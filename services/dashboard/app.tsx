import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { returnToPlace } from './api/saved-place.ts';
import { hasProject, peekSession, readSession, type Session, signOut, switchProject } from './api/session.ts';
import { NoticesProvider } from './components/notices.tsx';
import { Failure, Loading } from './components/states.tsx';
import { connectLive } from './live/connect-live.ts';
import { type Dashboard, DashboardProvider } from './live/dashboard-context.tsx';
import { Pages } from './pages.tsx';
import { dataOfSession } from './shell/session-data.ts';
import { text } from './texts/texts.ts';

// The session needs neither.
const SignInPage = lazy(async () => ({ default: (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage }));
const ChooseProjectPage = lazy(async () => ({
  default: (await import('./pages/sign-in/choose-project-page.tsx')).ChooseProjectPage,
}));

/** `firstSession`: a running read of the session. */
interface AppProps {
  firstSession: Promise<Session>;
}

/** Shows the dashboard in an element. `firstSession`: a running read of the session. */
export function showApp(root: HTMLElement, firstSession: Promise<Session>): void {
  createRoot(root).render(
    <StrictMode>
      <App firstSession={firstSession} />
    </StrictMode>,
  );
}

/** The dashboard: the sign-in page without a session, otherwise the pages. */
function App({ firstSession }: AppProps) {
  return (
    <Suspense fallback={<Loading what={text('shell.thePage')} as="table" />}>
      <Entrance firstSession={firstSession} />
    </Suspense>
  );
}

function Entrance({ firstSession }: AppProps) {
  const [session, setSession] = useState<Session | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const [hasEnded, setEnded] = useState(false);
  /** The last switch of the project. It ends the former session, and the API then refuses requests of that session. */
  const switching = useRef<Promise<unknown>>(Promise.resolve());
  const checking = useRef<Promise<void> | null>(null);
  useEffect(() => {
    (attempt === 0 ? firstSession : readSession()).then((found) => {
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
  const enterProject = (id: string) => {
    const entered = switchProject(id).then((next) => {
      setSession(next);
      notifyOthers();
    });
    switching.current = entered.catch(() => undefined);
    return entered;
  };
  if (!session.signed_in)
    return <SignInPage hasEnded={hasEnded} webSso={session.web_sso ?? []} onSignedIn={setSession} />;
  if (!hasProject(session)) return <ChooseProjectPage onChosen={enterProject} />;
  const checkEnd = async () => {
    await switching.current;
    const found = await peekSession().catch(() => null);
    if (found === null) return;
    setEnded(!found.signed_in);
    setSession((current) => (current && isSameSession(current, found) ? current : found));
  };
  const leave = () => {
    setEnded(false);
    setSession({ ...session, signed_in: false });
  };
  return (
    <SignedIn
      session={session}
      onProject={enterProject}
      onSignedOut={leave}
      onRefused={() => {
        checking.current ??= checkEnd().finally(() => {
          checking.current = null;
        });
      }}
    />
  );
}

const isSameSession = (one: Session, other: Session) =>
  (['signed_in', 'user', 'project_id'] as const).every((key) => one[key] === other[key]);

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

interface SignedInProps {
  session: Session;
  onProject: (id: string) => Promise<void>;
  onSignedOut: () => void;
  /** The API has refused a request because the session has ended. */
  onRefused: () => void;
}

function SignedIn({ session, onProject, onSignedOut, onRefused }: SignedInProps) {
  const { dashboard, queries } = useMemo(() => {
    const started = dataOfSession(session);
    started.onRefused(onRefused);
    const made: Dashboard = {
      ...started.data,
      enterProject: onProject,
      onRefused,
      signOut: () => signOut().then(onSignedOut),
    };
    return { dashboard: made, queries: started.queries };
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
