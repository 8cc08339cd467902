import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useDashboard } from './dashboard-context.tsx';
import type { LiveKind, LiveKinds } from './live-entities.ts';
import type { LiveStatus } from './live-store.ts';

/** Subscribes to one kind. The function stays identical, so that React does not subscribe again at every render. */
function useSubscription(kind: LiveKind) {
  const { live } = useDashboard();
  useEffect(() => live.want(kind), [live, kind]);
  return useCallback((listener: () => void) => live.subscribe(listener, [kind]), [live, kind]);
}

/** Current entities of a kind. */
export function useLiveEntities<Kind extends LiveKind>(kind: Kind): readonly LiveKinds[Kind][] {
  const { live } = useDashboard();
  return useSyncExternalStore(useSubscription(kind), () => live.list(kind));
}

/** Current state of one entity. Undefined while unknown. */
export function useLiveEntity<Kind extends LiveKind>(kind: Kind, id: string): LiveKinds[Kind] | undefined {
  const { live } = useDashboard();
  return useSyncExternalStore(useSubscription(kind), () => live.get(kind, id));
}

/** Whether changes arrive. */
export function useLiveStatus(): LiveStatus {
  const { live } = useDashboard();
  return useSyncExternalStore(live.subscribe, live.status);
}

/** Whether the first full state of a kind has arrived. Kinds that are followed from the start arrive together. */
export function useIsComplete(kind: LiveKind = 'audit'): boolean {
  const { live } = useDashboard();
  return useSyncExternalStore(live.subscribe, () => live.isComplete(kind));
}
