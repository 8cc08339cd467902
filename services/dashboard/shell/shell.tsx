import { EmptyState, EmptyStateBody, Page, PageSidebar, PageSidebarBody, SkipToContent } from '@patternfly/react-core';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import { Component, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useNotices } from '../components/notices.tsx';
import { Failure, Loading } from '../components/states.tsx';
import { Alert } from '../components/worded-parts.tsx';
import { useDashboard } from '../live/dashboard-context.tsx';
import { useLiveStatus } from '../live/use-live.ts';
import { text } from '../texts/texts.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { Navigation } from './navigation.tsx';
import { maySee } from './page-groups.ts';
import { SessionEnd } from './session-end.tsx';
import { chooseTheme, currentTheme, followSystemTheme, type Theme } from './theme.ts';
import { Identity, TopBar } from './top-bar.tsx';

const wide = () => window.innerWidth >= 1200;

/** The frame around every page: top bar, side navigation, and connection problems. */
export function Shell() {
  const [isOpen, setOpen] = useState(wide);
  const [theme, setTheme] = useState<Theme>(currentTheme);
  useEffect(() => followSystemTheme(setTheme), []);
  const { pathname } = useLocation();
  useClearedNotices(pathname);
  const { session } = useDashboard();
  const onTheme = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  const isNarrow = useRef(!wide());
  // Without it PatternFly does not detect a narrow page, and never shows the navigation there.
  const onPageResize = (_event: unknown, { mobileView = false }: { mobileView?: boolean }) => {
    if (mobileView !== isNarrow.current) setOpen(!mobileView);
    isNarrow.current = mobileView;
  };
  return (
    <Page
      onPageResize={onPageResize}
      masthead={
        <TopBar isNavigationOpen={isOpen} onToggleNavigation={() => setOpen(!isOpen)} theme={theme} onTheme={onTheme} />
      }
      sidebar={
        <PageSidebar isSidebarOpen={isOpen}>
          <PageSidebarBody>
            <Navigation onChoose={() => setOpen(wide())} />
            {/* Nothing in a closed side bar can be reached by keyboard. */}
            {isOpen && (
              <div className="vigil-sidebar-identity">
                <Identity />
                <LanguageSwitch />
              </div>
            )}
          </PageSidebarBody>
        </PageSidebar>
      }
      skipToContent={<SkipToContent href="#main">{text('shell.skip')}</SkipToContent>}
      mainContainerId="main"
      mainAriaLabel={text('shell.content')}
    >
      <ConnectionBanner />
      {session.auth === 'keystone' && <SessionEnd />}
      <PageErrorBoundary key={pathname}>
        {maySee(pathname, session.permissions) ? (
          <Suspense fallback={<Loading what={text('shell.thePage')} as="table" />}>
            <Outlet />
          </Suspense>
        ) : (
          <NoPermission />
        )}
      </PageErrorBoundary>
    </Page>
  );
}

/** Failures close with their page, and those of the connection when it is back. */
function useClearedNotices(pathname: string): void {
  const { clear } = useNotices();
  const status = useLiveStatus();
  useEffect(() => clear('failures'), [clear, pathname]);
  useEffect(() => {
    if (status === 'live') clear('outages');
  }, [clear, status]);
}

function ConnectionBanner() {
  const status = useLiveStatus();
  if (status !== 'reconnecting') return null;
  return (
    <Alert isInline variant="warning" title={text('shell.reconnecting')} className="vigil-reconnecting">
      {text('shell.reconnectingHint')}
    </Alert>
  );
}

/** Shows the error of a page that failed to render. The frame around it stays usable. */
class PageErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <Failure title={text('shell.pageFailed')} error={error} /> : this.props.children;
  }
}

/** Shown instead of a page that the policy refuses. */
function NoPermission() {
  const { session } = useDashboard();
  return (
    <EmptyState titleText={text('shell.noPermission')} icon={LockIcon} headingLevel="h1">
      <EmptyStateBody>
        {text('shell.noPermissionHint', {
          project: session.project ?? '–',
          roles: session.roles.join(', ') || text('common.none'),
        })}
      </EmptyStateBody>
    </EmptyState>
  );
}
