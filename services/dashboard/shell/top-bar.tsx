import {
  Button,
  Label,
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadLogo,
  MastheadMain,
  MastheadToggle,
  PageToggleButton,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import BarsIcon from '@patternfly/react-icons/dist/esm/icons/bars-icon';
import MoonIcon from '@patternfly/react-icons/dist/esm/icons/moon-icon';
import SunIcon from '@patternfly/react-icons/dist/esm/icons/sun-icon';
import { Link } from 'react-router';
import { useNotices } from '../components/notices.tsx';
import { useDashboard } from '../live/dashboard-context.tsx';
import { useLiveStatus } from '../live/use-live.ts';
import type { Theme } from './theme.ts';

interface TopBarProps {
  isNavigationOpen: boolean;
  onToggleNavigation: () => void;
  theme: Theme;
  onTheme: (theme: Theme) => void;
}

/** Brand, connection, who is signed in, theme, sign-out. */
export function TopBar({ isNavigationOpen, onToggleNavigation, theme, onTheme }: TopBarProps) {
  return (
    <Masthead display={{ default: 'inline' }}>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton
            aria-label="Navigation"
            isSidebarOpen={isNavigationOpen}
            onSidebarToggle={onToggleNavigation}
            id="navigation-toggle"
          >
            <BarsIcon />
          </PageToggleButton>
        </MastheadToggle>
        <MastheadBrand>
          <MastheadLogo component={(props) => <Link {...props} to="/overview" />} aria-label="Vigil, overview">
            <span className="vigil-brand">Vigil</span>
          </MastheadLogo>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Toolbar>
          <ToolbarContent>
            <ToolbarGroup alignItems="center" align={{ default: 'alignEnd' }} gap={{ default: 'gapSm' }}>
              <ToolbarItem>
                <ConnectionLabel />
              </ToolbarItem>
              <ToolbarItem visibility={{ default: 'hidden', md: 'visible' }}>
                <Identity />
              </ToolbarItem>
              <ToolbarItem>
                <Button
                  variant="plain"
                  aria-label={theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
                  icon={theme === 'dark' ? <SunIcon /> : <MoonIcon />}
                  onClick={() => onTheme(theme === 'dark' ? 'light' : 'dark')}
                />
              </ToolbarItem>
              <SignOut />
            </ToolbarGroup>
          </ToolbarContent>
        </Toolbar>
      </MastheadContent>
    </Masthead>
  );
}

function ConnectionLabel() {
  const status = useLiveStatus();
  return (
    <output aria-live="polite" className="vigil-connection">
      {status === 'live' && (
        <Label color="green" isCompact>
          Live
        </Label>
      )}
      {(status === 'reconnecting' || status === 'connecting') && (
        <Label color="orange" isCompact>
          {status === 'connecting' ? 'Connecting…' : 'Reconnecting…'}
        </Label>
      )}
      {status === 'refused' && (
        <Label color="grey" isCompact>
          Not live
        </Label>
      )}
    </output>
  );
}

/** Who is signed in, in which project and with which roles. */
export function Identity() {
  const { session } = useDashboard();
  if (session.auth === 'none') return <span className="vigil-identity">Authentication is off</span>;
  return (
    <span className="vigil-identity">
      <strong>{session.user}</strong> in {session.project} ({session.roles.join(', ')})
    </span>
  );
}

function SignOut() {
  const { session, signOut } = useDashboard();
  const notices = useNotices();
  const leave = () => void signOut().catch((error: unknown) => notices.failure('You are still signed in', error));
  if (session.auth === 'none') return null;
  return (
    <ToolbarItem>
      <Button variant="secondary" size="sm" onClick={leave}>
        Sign out
      </Button>
    </ToolbarItem>
  );
}
