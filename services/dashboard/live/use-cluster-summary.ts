import type { UseQueryResult } from '@tanstack/react-query';
import type { ClusterSummary } from '../api/cluster-types.ts';
import type { DataModelNote } from './live-entities.ts';
import { useStreamQuery } from './use-stream-query.ts';

/** The cloud as the decision engine sees it, with or without its hosts. It is read again with each published model. */
export function useClusterSummary(
  path: 'cluster/summary' | 'cluster/summary?hosts=false' = 'cluster/summary',
  isEnabled = true,
): UseQueryResult<ClusterSummary> {
  return useStreamQuery<ClusterSummary>(path, ['data_model'], {
    isEnabled,
    includes: (summary, live) => includesModels(summary, live.list('data_model')),
  });
}

/** Whether a summary is of the published model, with loads that were measured after it was published. */
export function includesModels(
  { taken_at: takenAt, load }: Pick<ClusterSummary, 'taken_at' | 'load'>,
  models: readonly DataModelNote[],
): boolean {
  const published = models.find(({ id }) => id === 'compute');
  if (!published) return true;
  const isNewest = Date.parse(takenAt) >= Date.parse(published.taken_at);
  return isNewest && Date.parse(load.at) >= Date.parse(published.published_at);
}
