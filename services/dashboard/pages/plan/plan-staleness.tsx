import { Alert, Checkbox } from '@patternfly/react-core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ActionPlanStaleness, dataOf } from '#libs/client';
import { Loading, textOf } from '../../components/states.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';

/** The age of a plan. */
export function usePlanStaleness(uuid: string): UseQueryResult<ActionPlanStaleness> {
  const { client } = useDashboard();
  return useQuery({
    queryKey: ['plan-staleness', uuid],
    queryFn: () => dataOf(client.api.GET('/v1/action_plans/{ident}/staleness', { params: { path: { ident: uuid } } })),
    staleTime: 0,
    // The dialog that reads the error may still load when the response arrives.
    notifyOnChangeProps: 'all',
    retry: false,
  });
}

interface StalenessProps {
  query: UseQueryResult<ActionPlanStaleness>;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
  /** Text of the confirmation. Default: that of a start. */
  confirmText?: string;
}

/** Whether hosts changed after the plan was created, with a confirmation, and a plan that locks its hosts. */
export function Staleness({ query, isConfirmed, onConfirm, confirmText }: StalenessProps) {
  const { data: staleness, error } = query;
  if (!staleness)
    return error ? (
      <Alert isInline variant="warning" title={text('plan.stalenessUnknown')} data-testid="staleness-unknown">
        {textOf(error)}
      </Alert>
    ) : (
      <Loading what={text('plan.staleness')} as="line" />
    );
  const isCurrent = !staleness.stale && !staleness.held_by && staleness.hosts_known > 0;
  return (
    <>
      {isCurrent && (
        <Alert
          isInline
          isPlain
          variant="success"
          data-testid="plan-current"
          title={
            staleness.hosts_changed === 0
              ? text('plan.current')
              : text(staleness.repeated ? 'plan.possible' : 'plan.mostlyCurrent', { count: staleness.hosts_changed })
          }
        />
      )}
      {staleness.held_by && (
        <Alert isInline variant="warning" title={text('plan.hostsInUse')} data-testid="plan-held">
          {staleness.held_by.text}
        </Alert>
      )}
      {staleness.stale && (
        <Alert isInline variant="warning" title={text('plan.stale')} data-testid="plan-stale">
          <p>{staleness.text}</p>
          <Checkbox
            id="force-stale"
            label={confirmText ?? text('plan.forceStale')}
            isChecked={isConfirmed}
            onChange={(_event, checked) => onConfirm(checked)}
          />
        </Alert>
      )}
    </>
  );
}
