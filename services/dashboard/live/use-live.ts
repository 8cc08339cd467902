import { useMemo, useSyncExternalStore } from 'react';
import { useDashboard } from '../api/dashboard-context.tsx';
import type { LiveKind, LiveKinds, LiveStatus } from './live-store.ts';

/** Entities of a kind as they are now. */
export function useLiveEntities<Kind extends LiveKind>(kind: Kind): readonly LiveKinds[Kind][] {
  const { live } = useDashboard();
  return useSyncExternalStore(live.subscribe, () => live.list(kind));
}

/** One entity as it is now; undefined while it is not known. */
export function useLiveEntity<Kind extends LiveKind>(kind: Kind, id: string): LiveKinds[Kind] | undefined {
  const { live } = useDashboard();
  return useSyncExternalStore(live.subscribe, () => live.get(kind, id));
}

/** Whether changes arrive. */
export function useLiveStatus(): LiveStatus {
  const { live } = useDashboard();
  return useSyncExternalStore(live.subscribe, live.status);
}

/** Whether the first full state has arrived. */
export function useIsComplete(): boolean {
  const { live } = useDashboard();
  return useSyncExternalStore(live.subscribe, live.isComplete);
}

/** Actions of a plan as they are now. */
export function usePlanActions(planUuid: string): LiveKinds['action'][] {
  const actions = useLiveEntities('action');
  return useMemo(() => actions.filter((action) => action.action_plan_uuid === planUuid), [actions, planUuid]);
}
