import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { type Audit, VigilApiError } from '#libs/client';
import { useDashboard } from './dashboard-context.tsx';
import type { LiveKind, LiveKinds, LivePlan } from './live-entities.ts';
import { knownKey, newestActions, planActionsQuery, planQuery } from './plan-queries.ts';
import { useLiveEntities, useLiveEntity } from './use-live.ts';
import { useReadOnStream } from './use-read-on-stream.ts';
import { unseenStaleTime } from './use-stream-query.ts';

/** An entity of the stream, or one that was read because it is not open. */
interface Known<Entity> {
  /** Undefined while loading. Null: it does not exist. */
  entity: Entity | undefined | null;
  error: unknown;
}

/** The current state of a plan, open or ended. */
export function useKnownPlan(uuid: string): Known<LivePlan> {
  return useKnown('action_plan', uuid, planQuery(useDashboard(), uuid).queryFn);
}

/** The current state of an audit, open or ended. */
export function useKnownAudit(uuid: string): Known<Audit> {
  const { client } = useDashboard();
  return useKnown('audit', uuid, () => client.get('audits', uuid));
}

function useKnown<Kind extends LiveKind>(
  kind: Kind,
  uuid: string,
  read: () => Promise<LiveKinds[Kind]>,
): Known<LiveKinds[Kind]> {
  const dashboard = useDashboard();
  const queries = useQueryClient();
  const live = useLiveEntity(kind, uuid);
  const query = useQuery({
    queryKey: knownKey(kind, uuid),
    queryFn: read,
    enabled: live === undefined,
    retry: false,
    staleTime: () => unseenStaleTime(dashboard),
  });
  // A restarted stream lacks entities that have ended since. The page keeps its state until they are read.
  useEffect(() => {
    if (live !== undefined) queries.setQueryData(knownKey(kind, uuid), live);
  }, [queries, kind, uuid, live]);
  // The stream reports deletions, but only of entities that it has reported. While it has the entity, the query is
  // disabled.
  useReadOnStream(knownKey(kind, uuid), [kind]);
  const isDeleted = query.error instanceof VigilApiError && query.error.status === 404;
  return { entity: live ?? (isDeleted ? null : query.data), error: isDeleted ? null : query.error };
}

/** The actions of a plan. */
export interface KnownActions {
  /** Undefined while they load, and after a failure. */
  actions: LiveKinds['action'][] | undefined;
  error: unknown;
  refetch: () => void;
}

/** The current actions of a plan: read once, then followed. */
export function useKnownActions(planUuid: string): KnownActions {
  const dashboard = useDashboard();
  const live = useLiveEntities('action');
  const { data, error, refetch } = useQuery({
    ...planActionsQuery(dashboard, planUuid),
    staleTime: () => unseenStaleTime(dashboard),
  });
  const shown = useRef<KnownActions['actions']>(undefined);
  const actions = useMemo(() => data && newestActions(data, shown.current ?? [], live), [live, data]);
  useEffect(() => {
    shown.current = actions;
  }, [actions]);
  return { actions, error: actions ? null : error, refetch: () => void refetch() };
}
