import { Button, Form, FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useState } from 'react';
import { Dialog } from '../../components/form-parts.tsx';
import { useNotices } from '../../components/notices.tsx';
import { OutOfDate } from '../../components/out-of-date.tsx';
import { HeadlineLine, usePlanRow } from '../../components/plan-headline.tsx';
import { shownState } from '../../components/plan-state.tsx';
import { SideEffects } from '../../components/side-effects.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { Staleness, usePlanStaleness } from './plan-staleness.tsx';
import { emptyRun, RunFields, runOptions } from './run-fields.tsx';

type FailurePolicy = 'continue' | 'stop' | 'rollback';
const policies: readonly FailurePolicy[] = ['continue', 'stop', 'rollback'];

interface StartDialogProps {
  plan: LivePlan;
  /** Whether it can still be started. */
  isPossible: boolean;
  onClose: () => void;
}

/** Starts a plan with execution options. */
export function StartDialog({ plan, isPossible, onClose }: StartDialogProps) {
  const { data: row } = usePlanRow(plan.uuid, 'RECOMMENDED');
  const { client } = useDashboard();
  const notices = useNotices();
  const [policy, setPolicy] = useState<FailurePolicy>('continue');
  const [run, setRun] = useState(emptyRun);
  const [isBusy, setBusy] = useState(false);
  const [isConfirmed, setConfirmed] = useState(false);
  const staleness = usePlanStaleness(plan.uuid);
  const needsConfirmation = staleness?.stale === true && !isConfirmed;
  const start = async () => {
    setBusy(true);
    try {
      await client.api.POST('/v1/action_plans/{ident}/start', {
        params: { path: { ident: plan.uuid } },
        body: { on_failure: policy, ...runOptions(run), ...(isConfirmed ? { force_stale: true } : {}) },
      });
      notices.success(text('plan.started'));
      onClose();
    } catch (error) {
      notices.failure(text('plan.notStarted'), error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={text('plan.startTitle')}
      description={text('plan.startHint')}
      onClose={onClose}
      buttons={
        <Button onClick={() => void start()} isLoading={isBusy} isDisabled={isBusy || !isPossible || needsConfirmation}>
          {text('plan.startTitle')}
        </Button>
      }
    >
      {!isBusy && <OutOfDate state={shownState(plan)} isPossible={isPossible} />}
      {row && (
        <p className="vigil-lead">
          <HeadlineLine plan={row.plan} />
        </p>
      )}
      {row && <SideEffects effects={row.plan.headline.side_effects} />}
      {staleness && <Staleness staleness={staleness} isConfirmed={isConfirmed} onConfirm={setConfirmed} />}
      <Form onSubmit={(event) => event.preventDefault()}>
        <FormGroup label={text('field.policy')} fieldId="start-policy">
          <FormSelect
            id="start-policy"
            value={policy}
            onChange={(_event, value) => setPolicy(policies.find((known) => known === value) ?? 'continue')}
          >
            {policies.map((known) => (
              <FormSelectOption key={known} value={known} label={text(`plan.policy.${known}`)} />
            ))}
          </FormSelect>
        </FormGroup>
        <RunFields form={run} onChange={setRun} />
      </Form>
    </Dialog>
  );
}
