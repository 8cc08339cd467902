import type { AuditLogEntry } from '../../api/internal-types.ts';

/** Filters of the audit log in the URL of the page. Empty: all. Times are in the browser's time zone. */
export interface AuditLogFilters {
  user: string;
  target: string;
  target_kind: string;
  method: string;
  from: string;
  to: string;
}

const names = ['user', 'target', 'target_kind', 'method', 'from', 'to'] as const;
const pageSize = '50';

/** Reads the filters from the URL of the page. */
export function filtersOf(query: URLSearchParams): AuditLogFilters {
  const textOf = (name: keyof AuditLogFilters) => query.get(name) ?? '';
  return {
    user: textOf('user'),
    target: textOf('target'),
    target_kind: textOf('target_kind'),
    method: textOf('method'),
    from: textOf('from'),
    to: textOf('to'),
  };
}

/** Whether any filter is set. */
export function hasFilters(filters: AuditLogFilters): boolean {
  return names.some((name) => filters[name] !== '');
}

/** Path of a page of the log below `/internal/`. `marker` is the last entry of the page before. */
export function pathOf(filters: AuditLogFilters, marker: string | null): string {
  const query = new URLSearchParams({ limit: pageSize });
  for (const name of names) {
    const value = name === 'from' || name === 'to' ? instantOf(filters[name]) : filters[name].trim();
    if (value !== '') query.set(name, value);
  }
  if (marker !== null) query.set('marker', marker);
  return `audit-log?${query}`;
}

function instantOf(text: string): string {
  const millis = Date.parse(text);
  return Number.isNaN(millis) ? '' : new Date(millis).toISOString();
}

/** Dashboard path of an entry's target. Null if it has no page. */
export function targetPath({
  target,
  target_kind: kind,
}: Pick<AuditLogEntry, 'target' | 'target_kind'>): string | null {
  if (target === null || !/^[0-9a-f-]{36}$/.test(target)) return null;
  if (kind === 'audit') return `/audits/${target}`;
  return kind === 'action_plan' ? `/plans/${target}` : null;
}
