import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { ActionPlanPreview } from '#libs/client';
import type { ClusterSummary } from '../../api/cluster-types.ts';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { planPreviewQuery } from '../../live/plan-queries.ts';
import { streamQuery } from '../../live/stream-query.ts';
import { useReadOnStream } from '../../live/use-read-on-stream.ts';
import { unseenStaleTime } from '../../live/use-stream-query.ts';

/** Changes within this time cause one read of the hosts while the plan runs. */
const settleMs = 1_000;

/** The tab of the map in the URL. */
export const mapTab = 'map';

/** Data of the map of a plan, read while its tab is open. */
export interface MapOfPlan {
  preview: UseQueryResult<ActionPlanPreview>;
  /** Hosts that the plan does not change. Not read without permission. */
  cloud: UseQueryResult<ClusterSummary>;
  /** Whether the tab is open and its hosts are unknown. */
  isLoading: boolean;
}

/** Reads the hosts of a plan and of the cloud while the tab of its map is open, without waiting for the plan. */
export function useMapOfPlan(planUuid: string): MapOfPlan {
  const dashboard = useDashboard();
  const mayPreview = useMay('data_model:get_all');
  const maySeeCloud = useMay('internal:read');
  const isOpen = useSearchParams()[0].get('tab') === mapTab && mayPreview;
  const read = planPreviewQuery(dashboard, planUuid);
  const preview = useQuery({ ...read, staleTime: () => unseenStaleTime(dashboard), enabled: isOpen });
  useReadOnStream(read.queryKey, isOpen ? ['action_plan'] : [], { settleMs });
  const cloud = useQuery({
    ...streamQuery<ClusterSummary>(dashboard, 'cluster/summary'),
    enabled: isOpen && maySeeCloud,
  });
  return { preview, cloud, isLoading: preview.isLoading || cloud.isLoading };
}
