import { Nav, NavGroup, NavItem } from '@patternfly/react-core';
import { NavLink, useLocation } from 'react-router';

/** Pages by group, as the side navigation shows them. */
const groups = [
  {
    title: 'Cloud',
    pages: [
      { path: 'overview', title: 'Overview' },
      { path: 'cluster', title: 'Cluster' },
    ],
  },
  {
    title: 'Optimization',
    pages: [
      { path: 'goals', title: 'Goals and strategies' },
      { path: 'templates', title: 'Audit templates' },
      { path: 'audits', title: 'Audits' },
      { path: 'plans', title: 'Action plans' },
    ],
  },
  {
    title: 'Operation',
    pages: [
      { path: 'services', title: 'Services' },
      { path: 'tasks', title: 'Tasks' },
      { path: 'dead-letters', title: 'Dead letters' },
    ],
  },
] as const;

/** The side navigation. */
export function Navigation({ onChoose }: { onChoose: () => void }) {
  const { pathname } = useLocation();
  return (
    <Nav aria-label="Pages" onSelect={onChoose}>
      {groups.map((group) => (
        <NavGroup key={group.title} title={group.title}>
          {group.pages.map((page) => {
            const isActive = pathname === `/${page.path}` || pathname.startsWith(`/${page.path}/`);
            return (
              <NavItem key={page.path} itemId={page.path} isActive={isActive}>
                <NavLink to={`/${page.path}`}>{page.title}</NavLink>
              </NavItem>
            );
          })}
        </NavGroup>
      ))}
    </Nav>
  );
}
