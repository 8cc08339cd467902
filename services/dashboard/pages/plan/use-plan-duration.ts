import { useQuery } from '@tanstack/react-query';
import { dataOf } from '#libs/client';
import { useDashboard } from '../../live/dashboard-context.tsx';

/** Pause between two reads while actions run, in milliseconds. */
const everyMs = 5000;

/** Expected duration of a plan and of its rest. Read again when the state of an action changes. */
export function usePlanDuration(planUuid: string, actions: readonly { state: string }[], isRunning: boolean) {
  const { client } = useDashboard();
  const states = ['PENDING', 'ONGOING', 'CANCELLING'].map(
    (state) => actions.filter((row) => row.state === state).length,
  );
  return useQuery({
    queryKey: ['plan-duration', planUuid, ...states],
    queryFn: () =>
      dataOf(client.api.GET('/v1/action_plans/{ident}/duration', { params: { path: { ident: planUuid } } })),
    placeholderData: (known) => (known?.action_plan_uuid === planUuid ? known : undefined),
    refetchInterval: isRunning ? everyMs : false,
  });
}
