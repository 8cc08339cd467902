import type { TextKey } from '../texts/texts.ts';

/** A page of the side navigation. */
export interface NavigationPage {
  path: string;
  title: Extract<TextKey, `page.${string}`>;
  /** Required policy rule or rules. Null: none. */
  rule: string | readonly string[] | null;
}

/** Pages by group, as in the side navigation. */
export const pageGroups: readonly {
  title: Extract<TextKey, `page.group.${string}`>;
  pages: readonly NavigationPage[];
}[] = [
  {
    title: 'page.group.cloud',
    pages: [
      { path: 'overview', title: 'page.overview', rule: null },
      { path: 'cluster', title: 'page.cluster', rule: 'internal:read' },
      { path: 'what-if', title: 'page.whatIf', rule: ['data_model:what_if', 'internal:read'] },
      { path: 'rules', title: 'page.rules', rule: 'internal:read' },
    ],
  },
  {
    title: 'page.group.optimization',
    pages: [
      { path: 'goals', title: 'page.goals', rule: 'goal:get' },
      { path: 'templates', title: 'page.templates', rule: 'audit_template:get' },
      { path: 'audits', title: 'page.audits', rule: 'audit:get' },
      { path: 'plans', title: 'page.plans', rule: 'action_plan:get' },
      { path: 'trends', title: 'page.trends', rule: ['action:get_all', 'action_plan:get_all'] },
    ],
  },
  {
    title: 'page.group.operation',
    pages: [
      { path: 'services', title: 'page.services', rule: 'internal:read' },
      { path: 'tasks', title: 'page.tasks', rule: 'internal:read' },
      { path: 'dead-letters', title: 'page.deadLetters', rule: 'internal:read' },
      { path: 'audit-log', title: 'page.auditLog', rule: 'internal:read' },
    ],
  },
];

/** Whether a user with these permissions may open a path of the dashboard. */
export function maySee(pathname: string, permissions: readonly string[]): boolean {
  if (permissions.length === 0) return false;
  const page = pageGroups
    .flatMap(({ pages }) => pages)
    .find(({ path }) => pathname === `/${path}` || pathname.startsWith(`/${path}/`));
  return !page || isAllowed(page, permissions);
}

/** Whether a user with these permissions may open a page. */
export function isAllowed({ rule }: NavigationPage, permissions: readonly string[]): boolean {
  return [rule ?? []].flat().every((needed) => permissions.includes(needed));
}
