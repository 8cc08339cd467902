import { useQuery } from '@tanstack/react-query';
import { dataOf } from '#libs/client';
import { durationPhrase } from '../../components/duration-phrase.ts';
import { HostChanges } from '../../components/host-changes.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { durationText, Time } from '../../components/time.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';

/** Hosts before and after a plan as stored at its creation, its progress so far, and its duration. */
export function PlanHosts({ planUuid }: { planUuid: string }) {
  const { client } = useDashboard();
  const preview = useQuery({
    queryKey: ['plan-preview', planUuid],
    // Each opening of the tab reads the progress and the current state.
    staleTime: 0,
    queryFn: () =>
      dataOf(client.api.GET('/v1/action_plans/{ident}/preview', { params: { path: { ident: planUuid } } })),
  });
  if (preview.isPending) return <Loading what={text('plan.hosts')} as="table" />;
  if (preview.isError)
    return (
      <Failure title={text('plan.hostsUnreadable')} error={preview.error} onRetry={() => void preview.refetch()} />
    );
  const {
    hosts,
    hosts_taken_at: takenAt,
    model,
    unplaced,
    estimated_seconds: estimate,
    duration,
    rollback,
  } = preview.data;
  return (
    <>
      <p className="vigil-lead">
        {text('plan.duration', {
          time: durationPhrase(duration.seconds, duration),
          most: durationText(estimate.one_by_one),
          undo: rollback ? ` ${text('plan.rollbackVerdict', { verdict: text(`rollback.word.${rollback}`) })}` : '',
        })}
      </p>
      {takenAt === null ? (
        <Alert isInline isPlain variant="info" title={text('plan.onlyToday')} />
      ) : (
        <p className="vigil-lead">{richText('plan.takenAt', { time: <Time isFull at={takenAt} /> })}</p>
      )}
      {model && <Alert isInline isPlain variant="info" title={text('plan.todayUnknown', { reason: model })} />}
      <HostChanges isPlan hosts={hosts} unplaced={unplaced} />
    </>
  );
}
