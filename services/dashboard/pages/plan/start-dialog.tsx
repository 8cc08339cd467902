import {
  Button,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
} from '@patternfly/react-core';
import { useState } from 'react';
import { useNotices } from '../../components/notices.tsx';
import { OutOfDate } from '../../components/out-of-date.tsx';
import { HeadlineLine, usePlanRow } from '../../components/plan-headline.tsx';
import { shownState } from '../../components/plan-state.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { emptyRun, RunFields, runOptions } from './run-fields.tsx';

type FailurePolicy = 'continue' | 'stop' | 'rollback';
const policies: readonly { value: FailurePolicy; label: string }[] = [
  { value: 'continue', label: 'Go on; what waits for it runs if it still holds, else it is skipped' },
  { value: 'stop', label: 'Begin nothing further' },
  { value: 'rollback', label: 'Undo what was done, in reverse order' },
];

interface StartDialogProps {
  plan: LivePlan;
  /** Whether it can still be started. */
  isPossible: boolean;
  onClose: () => void;
}

/** Asks how a plan is to be executed, and starts it. */
export function StartDialog({ plan, isPossible, onClose }: StartDialogProps) {
  const row = usePlanRow(plan.uuid, 'RECOMMENDED');
  const { client } = useDashboard();
  const notices = useNotices();
  const [policy, setPolicy] = useState<FailurePolicy>('continue');
  const [run, setRun] = useState(emptyRun);
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      await client.api.POST('/v1/action_plans/{ident}/start', {
        params: { path: { ident: plan.uuid } },
        body: { on_failure: policy, ...runOptions(run) },
      });
      notices.success('The plan has been started');
      onClose();
    } catch (error) {
      notices.failure('The plan cannot be started', error);
      setBusy(false);
    }
  };
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-label="Start the plan">
      <ModalHeader
        title="Start the plan"
        description="Each action is checked against the cloud again before it runs."
      />
      <ModalBody>
        {!isBusy && <OutOfDate state={shownState(plan)} isPossible={isPossible} />}
        {row && (
          <p className="vigil-lead">
            <HeadlineLine plan={row.plan} />
          </p>
        )}
        <Form onSubmit={(event) => event.preventDefault()}>
          <FormGroup label="When an action fails" fieldId="start-policy">
            <FormSelect
              id="start-policy"
              value={policy}
              onChange={(_event, value) =>
                setPolicy(policies.find((known) => known.value === value)?.value ?? 'continue')
              }
            >
              {policies.map((known) => (
                <FormSelectOption key={known.value} value={known.value} label={known.label} />
              ))}
            </FormSelect>
          </FormGroup>
          <RunFields form={run} onChange={setRun} />
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button onClick={() => void start()} isLoading={isBusy} isDisabled={isBusy || !isPossible}>
          Start the plan
        </Button>
        <Button variant="link" onClick={onClose}>
          {text('dialog.notNow')}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
