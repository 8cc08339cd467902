import { Button, ExpandableSection, Form, FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useState } from 'react';
import { Dialog } from '../../components/lazy-parts.tsx';
import { useNotices } from '../../components/notices.tsx';
import { OutOfDate } from '../../components/out-of-date.tsx';
import { HeadlineLine, usePlanRow } from '../../components/plan-headline.tsx';
import { shownState } from '../../components/plan-states.ts';
import { SideEffects } from '../../components/side-effects.tsx';
import { Loading, textOf } from '../../components/states.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { Staleness, usePlanStaleness } from './plan-staleness.tsx';
import { RunFields } from './run-fields.tsx';
import { emptyRun, runOptions } from './run-options.ts';

type FailurePolicy = 'continue' | 'stop' | 'rollback';
const policies: readonly FailurePolicy[] = ['continue', 'stop', 'rollback'];

interface StartDialogProps {
  plan: LivePlan;
  /** Whether it can still be started. */
  isPossible: boolean;
  onClose: () => void;
}

/** Starts a plan: its gain, cost and obstacles together, and its options folded. */
export function StartDialog({ plan, isPossible, onClose }: StartDialogProps) {
  const row = usePlanRow(plan.uuid, plan.state);
  const { client } = useDashboard();
  const notices = useNotices();
  const [policy, setPolicy] = useState<FailurePolicy>('continue');
  const [run, setRun] = useState(emptyRun);
  const [isBusy, setBusy] = useState(false);
  const [isConfirmed, setConfirmed] = useState(false);
  const staleness = usePlanStaleness(plan.uuid);
  const needsConfirmation = staleness.data?.stale === true && !isConfirmed;
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
      <Summary query={row} />
      <Staleness query={staleness} isConfirmed={isConfirmed} onConfirm={setConfirmed} />
      <ExpandableSection toggleText={text('run.options')}>
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
      </ExpandableSection>
    </Dialog>
  );
}

/** Gain, cost and side effects of the plan. Nothing without permission. */
function Summary({ query }: { query: ReturnType<typeof usePlanRow> }) {
  if (query.isLoading) return <Loading what={text('gain.headline')} as="line" />;
  if (query.isError && !query.data)
    return (
      <Alert isInline variant="warning" title={text('plan.unreadable')}>
        {textOf(query.error)}
      </Alert>
    );
  if (!query.data) return null;
  const { plan } = query.data;
  return (
    <>
      <p className="vigil-lead">
        <HeadlineLine plan={plan} />
      </p>
      <SideEffects of={plan.headline} />
    </>
  );
}
