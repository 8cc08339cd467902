import { Alert } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '#libs/client';
import { HostChanges } from '../../components/host-changes.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { durationText, Time } from '../../components/time.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';

/** Hosts before and after a plan as they were stored when it was made, what it has come to, and how long it takes. */
export function PlanHosts({ planUuid }: { planUuid: string }) {
  const { client } = useDashboard();
  const preview = useQuery({
    queryKey: ['plan-preview', planUuid],
    // Plan and cloud move on: what happened so far and what is there today is read whenever it is opened.
    staleTime: 0,
    queryFn: () =>
      dataOf(client.api.GET('/v1/action_plans/{ident}/preview', { params: { path: { ident: planUuid } } })),
  });
  if (preview.isPending) return <Loading what="hosts before and after" />;
  if (preview.isError)
    return <Failure title="The hosts can not be shown" error={preview.error} onRetry={() => void preview.refetch()} />;
  const { hosts, hosts_taken_at: takenAt, model, unplaced, estimated_seconds: estimate, rollback } = preview.data;
  return (
    <>
      <p className="vigil-lead">
        Takes at least {durationText(estimate.at_least)}, {durationText(estimate.one_by_one)} if one action ran after
        the other
        {estimate.guessed_types.length > 0 ? `; never measured here: ${estimate.guessed_types.join(', ')}` : ''}.
        {rollback ? ` Undoing it is ${rollback}.` : ''}
      </p>
      {takenAt === null ? (
        <Alert
          isInline
          isPlain
          variant="info"
          title="What the hosts held when this plan was made was not stored; only what they hold today is known."
        />
      ) : (
        <p className="vigil-lead">
          Before and after as they were when the plan was made, by the cloud of <Time isFull at={takenAt} />.
        </p>
      )}
      {model && <Alert isInline isPlain variant="info" title={`What the hosts hold today is not known: ${model}`} />}
      <HostChanges isPlan hosts={hosts} unplaced={unplaced} />
    </>
  );
}
