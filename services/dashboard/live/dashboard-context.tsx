import { createContext, useContext } from 'react';
import type { VigilClient } from '#libs/client';
import type { InternalCall } from '../api/internal.ts';
import type { Session } from '../api/session.ts';
import type { LiveStore } from './live-store.ts';

/** Data of the API for a session. */
export interface DashboardData {
  client: VigilClient;
  internal: InternalCall;
  live: LiveStore;
  /** Positions in the change log up to which the last reads of the internal surface include all changes, by path. */
  readPositions: Map<string, string | null>;
  session: Session;
}

/** Values for all pages. */
export interface Dashboard extends DashboardData {
  /** Continues in another of the user's projects. Rejects if that is impossible now. */
  enterProject: (id: string) => Promise<void>;
  /** Checks whether the session has ended without a sign-out. */
  onRefused: () => void;
  /** Ends the session on the server. Rejects if that is impossible now. */
  signOut: () => Promise<void>;
}

const DashboardContext = createContext<Dashboard | null>(null);

/** Provides the dashboard to pages. */
export const DashboardProvider = DashboardContext.Provider;

/** The dashboard of the enclosing provider. */
export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (!dashboard) throw new Error('used outside of the dashboard');
  return dashboard;
}

/** Whether the policy allows the signed-in user an operation, such as `audit:create`. */
export function useMay(rule: string): boolean {
  return useDashboard().session.permissions.includes(rule);
}
