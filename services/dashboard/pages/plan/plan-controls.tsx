import { Button, Flex } from '@patternfly/react-core';
import { useState } from 'react';
import { ConfirmButton, Dangerous } from '../../components/confirm-button.tsx';
import { useNotices } from '../../components/notices.tsx';
import { shownState, waitsForApproval } from '../../components/plan-states.ts';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { RollbackDialog } from './rollback-dialog.tsx';
import { StartDialog } from './start-dialog.tsx';

/** States from which a plan can be rolled back. */
const rollbackStates = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED']);

/** Buttons for the current state of a plan. */
export function PlanControls({ plan }: { plan: LivePlan }) {
  const { client } = useDashboard();
  const mayStart = useMay('action_plan:start');
  const mayUpdate = useMay('action_plan:update');
  const mayDelete = useMay('action_plan:delete');
  const notices = useNotices();
  const [isStarting, setStarting] = useState(false);
  const [isRollingBack, setRollingBack] = useState(false);
  const params = { params: { path: { ident: plan.uuid } } };
  const control = async (verb: 'pause' | 'resume', done: string) => {
    try {
      await client.api.POST(`/v1/action_plans/{ident}/${verb}`, params);
      notices.success(done);
    } catch (error) {
      notices.failure(verb === 'pause' ? text('plan.notPaused') : text('plan.notResumed'), error);
    }
  };
  const cancel = () => {
    const hadStarted = plan.state === 'ONGOING' || plan.state === 'SUSPENDED';
    const body = [{ op: 'replace' as const, path: '/state', value: hadStarted ? 'CANCELLING' : 'CANCELLED' }];
    return client.api.PATCH('/v1/action_plans/{ident}', { ...params, body });
  };
  const isPaused = plan.outcome?.paused === true;
  const isRunning = plan.state === 'ONGOING' || plan.state === 'PENDING';
  const isStartable = plan.state === 'RECOMMENDED' || plan.state === 'SUSPENDED';
  const isOpen = isRunning || isStartable;
  const isEnded = !isRunning && plan.state !== 'CANCELLING' && plan.state !== 'SUSPENDED';
  const state = shownState(plan);
  return (
    <Flex gap={{ default: 'gapSm' }}>
      {isStartable && mayStart && !waitsForApproval(plan) && (
        <Button onClick={() => setStarting(true)}>{text('plan.start')}</Button>
      )}
      {isStarting && <StartDialog plan={plan} isPossible={isStartable} onClose={() => setStarting(false)} />}
      {isRunning && mayUpdate && !isPaused && (
        <Button variant="secondary" onClick={() => void control('pause', text('plan.pausing'))}>
          {text('plan.pause')}
        </Button>
      )}
      {isRunning && mayUpdate && isPaused && (
        <Button onClick={() => void control('resume', text('plan.resuming'))}>{text('plan.resume')}</Button>
      )}
      {rollbackStates.has(plan.state) && mayStart && (
        <Button variant="secondary" onClick={() => setRollingBack(true)}>
          {text('plan.rollBack')}
        </Button>
      )}
      {isRollingBack && (
        <RollbackDialog plan={plan} isPossible={rollbackStates.has(plan.state)} onClose={() => setRollingBack(false)} />
      )}
      <Dangerous>
        <ConfirmButton
          label={text('do.cancel')}
          state={state}
          isOffered={isOpen && mayUpdate}
          title={text('plan.confirmCancel')}
          run={cancel}
          done={text('plan.cancelling')}
          variant="danger"
        >
          {text('plan.cancelHint')}
        </ConfirmButton>
        <ConfirmButton
          label={text('plan.abort')}
          state={state}
          isOffered={(isRunning || plan.state === 'CANCELLING') && mayUpdate}
          title={text('plan.confirmAbort')}
          run={() => client.api.POST('/v1/action_plans/{ident}/abort', params)}
          done={text('plan.aborting')}
          variant="danger"
        >
          {text('plan.abortHint')}
        </ConfirmButton>
        <ConfirmButton
          label={text('do.delete')}
          state={state}
          isOffered={isEnded && mayDelete}
          title={text('plan.confirmDelete')}
          run={() => client.api.DELETE('/v1/action_plans/{ident}', params)}
          done={text('plan.deleted')}
          variant="danger"
        >
          {text('plan.deleteHint')}
        </ConfirmButton>
      </Dangerous>
    </Flex>
  );
}
