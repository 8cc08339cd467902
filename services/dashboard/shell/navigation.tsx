import { Badge, Nav, NavGroup, NavItem } from '@patternfly/react-core';
import { NavLink, useLocation } from 'react-router';
import { useDashboard } from '../live/dashboard-context.tsx';
import { useLiveEntities } from '../live/use-live.ts';
import { text } from '../texts/texts.ts';
import { isAllowed, pageGroups } from './page-groups.ts';

/** The side navigation without pages that the policy refuses. */
export function Navigation({ onChoose }: { onChoose: () => void }) {
  const { pathname } = useLocation();
  const { permissions } = useDashboard().session;
  const groups = pageGroups
    .map(({ title, pages }) => ({ title, pages: pages.filter((page) => isAllowed(page, permissions)) }))
    .filter(({ pages }) => pages.length > 0);
  return (
    <Nav aria-label={text('shell.pages')} onSelect={onChoose}>
      {groups.map((group) => (
        <NavGroup key={group.title} title={text(group.title)}>
          {group.pages.map((page) => {
            const isActive = pathname === `/${page.path}` || pathname.startsWith(`/${page.path}/`);
            return (
              <NavItem key={page.path} itemId={page.path} isActive={isActive}>
                <NavLink to={`/${page.path}`}>
                  {text(page.title)}
                  {page.path === 'dead-letters' && <FailedWork />}
                </NavLink>
              </NavItem>
            );
          })}
        </NavGroup>
      ))}
    </Nav>
  );
}

/** Number of failed background tasks and dead letters. */
function FailedWork() {
  const given = useLiveEntities('dead_letters')[0];
  const count = (given?.count ?? 0) + (given?.failed_tasks ?? 0);
  if (count === 0) return null;
  return <Badge screenReaderText={text('shell.failedWork')}>{count}</Badge>;
}
