import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import type { Dashboard } from '../live/dashboard-context.tsx';
import { startFirstReads } from './first-reads.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Paths of the internal surface that a user with these permissions reads first on the page of the cluster. */
function clusterReadsOf(permissions: string[]): string[] {
  vi.stubGlobal('location', { pathname: '/dashboard/cluster', search: '' });
  vi.stubGlobal('document', { baseURI: 'http://localhost/dashboard/' });
  const paths: string[] = [];
  const internal = async (path: string) => {
    paths.push(path);
    return {};
  };
  const dashboard = { internal, readPositions: new Map(), session: { permissions } } as unknown as Dashboard;
  startFirstReads(new QueryClient(), dashboard);
  return paths;
}

it('reads nothing first that the policy refuses', () => {
  expect(clusterReadsOf(['internal:read'])).toEqual(['cluster/summary', 'history/spread']);
  expect(clusterReadsOf(['action:get_all'])).toEqual([]);
});
