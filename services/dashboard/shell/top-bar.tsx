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
import { richText } from '../texts/rich-text.tsx';
import { text } from '../texts/texts.ts';
import { AlertButton } from './alert-button.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { ProjectSwitch } from './project-switch.tsx';
import { SearchButton } from './search-button.tsx';
import type { Theme } from './theme.ts';

interface TopBarProps {
  isNavigationOpen: boolean;
  onToggleNavigation: () => void;
  theme: Theme;
  onTheme: (theme: Theme) => void;
}

/** Brand, connection, signed-in user, theme, sign-out. */
export function TopBar({ isNavigationOpen, onToggleNavigation, theme, onTheme }: TopBarProps) {
  return (
    <Masthead display={{ default: 'inline' }}>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton
            aria-label={text('shell.navigation')}
            isSidebarOpen={isNavigationOpen}
            onSidebarToggle={onToggleNavigation}
            id="navigation-toggle"
          >
            <BarsIcon />
          </PageToggleButton>
        </MastheadToggle>
        <MastheadBrand>
          <MastheadLogo component={(props) => <Link {...props} to="/overview" />} aria-label={text('shell.home')}>
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
              <ToolbarItem>
                <SearchButton />
              </ToolbarItem>
              <ToolbarItem visibility={{ default: 'hidden', md: 'visible' }}>
                <Identity />
              </ToolbarItem>
              <ToolbarItem visibility={{ default: 'hidden', md: 'visible' }}>
                <AlertButton />
              </ToolbarItem>
              <ToolbarItem>
                <Button
                  variant="plain"
                  aria-label={text(theme === 'dark' ? 'shell.useLight' : 'shell.useDark')}
                  icon={theme === 'dark' ? <SunIcon /> : <MoonIcon />}
                  onClick={() => onTheme(theme === 'dark' ? 'light' : 'dark')}
                />
              </ToolbarItem>
              <ToolbarItem visibility={{ default: 'hidden', md: 'visible' }}>
                <LanguageSwitch />
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
          {text('shell.live')}
        </Label>
      )}
      {(status === 'reconnecting' || status === 'connecting') && (
        <Label color="orange" isCompact>
          {text(status === 'connecting' ? 'shell.connecting' : 'shell.reconnecting')}
        </Label>
      )}
      {status === 'refused' && (
        <Label color="grey" isCompact>
          {text('shell.notLive')}
        </Label>
      )}
    </output>
  );
}

/** The signed-in user, the project with its switch, and the roles. */
export function Identity() {
  const { session } = useDashboard();
  if (session.auth === 'none') return <span className="vigil-identity">{text('shell.noAuthentication')}</span>;
  return (
    <span className="vigil-identity">
      {richText('shell.identity', {
        user: <strong>{session.user}</strong>,
        project: <ProjectSwitch />,
        roles: session.roles.join(', '),
      })}
    </span>
  );
}

function SignOut() {
  const { session, signOut } = useDashboard();
  const notices = useNotices();
  const leave = () => void signOut().catch((error: unknown) => notices.failure(text('session.stillIn'), error));
  if (session.auth === 'none') return null;
  return (
    <ToolbarItem>
      <Button variant="secondary" size="sm" onClick={leave}>
        {text('session.out')}
      </Button>
    </ToolbarItem>
  );
}
