/** A page of the side navigation. */
export interface NavigationPage {
  path: string;
  title: string;
  /** Policy rule that lets a user see it; null: everybody who may see anything. */
  rule: string | null;
}

/** Pages by group, as the side navigation shows them. */
export const pageGroups: readonly { title: string; pages: readonly NavigationPage[] }[] = [
  {
    title: 'Cloud',
    pages: [
      { path: 'overview', title: 'Overview', rule: null },
      { path: 'cluster', title: 'Cluster', rule: 'internal:read' },
    ],
  },
  {
    title: 'Optimization',
    pages: [
      { path: 'goals', title: 'Goals and strategies', rule: 'goal:get' },
      { path: 'templates', title: 'Audit templates', rule: 'audit_template:get' },
      { path: 'audits', title: 'Audits', rule: 'audit:get' },
      { path: 'plans', title: 'Action plans', rule: 'action_plan:get' },
    ],
  },
  {
    title: 'Operation',
    pages: [
      { path: 'services', title: 'Services', rule: 'internal:read' },
      { path: 'tasks', title: 'Tasks', rule: 'internal:read' },
      { path: 'dead-letters', title: 'Dead letters', rule: 'internal:read' },
      { path: 'audit-log', title: 'Audit log', rule: 'internal:read' },
    ],
  },
];

/** Whether a user with these permissions may see what is at a path of the dashboard. */
export function maySee(pathname: string, permissions: readonly string[]): boolean {
  if (permissions.length === 0) return false;
  const page = pageGroups
    .flatMap(({ pages }) => pages)
    .find(({ path }) => pathname === `/${path}` || pathname.startsWith(`/${path}/`));
  return !page?.rule || permissions.includes(page.rule);
}
