import { Alert, Checkbox } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type ActionPlanStaleness, dataOf } from '#libs/client';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';

/** The age of a plan. Undefined until it is known. */
export function usePlanStaleness(uuid: string): ActionPlanStaleness | undefined {
  const { client } = useDashboard();
  return useQuery({
    queryKey: ['plan-staleness', uuid],
    queryFn: () => dataOf(client.api.GET('/v1/action_plans/{ident}/staleness', { params: { path: { ident: uuid } } })),
    staleTime: 0,
    retry: false,
  }).data;
}

interface StalenessProps {
  staleness: ActionPlanStaleness;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

/** Warns of an outdated plan, with a confirmation, and of a plan that locks its hosts. */
export function Staleness({ staleness, isConfirmed, onConfirm }: StalenessProps) {
  return (
    <>
      {staleness.held_by && (
        <Alert isInline variant="warning" title={text('plan.held')} data-testid="plan-held">
          {staleness.held_by.text}
        </Alert>
      )}
      {staleness.stale && (
        <Alert isInline variant="warning" title={text('plan.stale')} data-testid="plan-stale">
          <p>{staleness.text}</p>
          <Checkbox
            id="force-stale"
            label={text('plan.forceStale')}
            isChecked={isConfirmed}
            onChange={(_event, checked) => onConfirm(checked)}
          />
        </Alert>
      )}
    </>
  );
}
