import { Content, Form, FormGroup, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { textOf } from '../../components/states.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { skipActions } from './skip-actions.ts';

/** As many as the API keeps beside its own words. */
const maxReason = 220;

interface SkipButtonProps {
  uuids: readonly string[];
  label: string;
  onSkipped?: () => void;
}

/** Asks for a reason and leaves actions out of a plan that has not begun. */
export function SkipButton({ uuids, label, onSkipped }: SkipButtonProps) {
  const { client } = useDashboard();
  const [reason, setReason] = useState('');
  const count = uuids.length;
  const skip = async () => {
    const refused = await skipActions(client, uuids, reason.trim());
    const [first] = refused;
    if (first) throw new Error(`${refused.length} of ${count} actions are not skipped: ${textOf(first.error)}`);
    setReason('');
    onSkipped?.();
  };
  return (
    <ConfirmButton
      label={label}
      title={count === 1 ? 'Skip one action?' : `Skip ${count} actions?`}
      run={skip}
      done={count === 1 ? 'The action will be skipped' : `${count} actions will be skipped`}
      isDisabled={count === 0}
    >
      <Content component="p">
        What is skipped is left out when the plan runs, which can not be taken back. What waits for it runs all the
        same.
      </Content>
      <Form onSubmit={(event) => event.preventDefault()}>
        <FormGroup label="Reason" fieldId="skip-reason">
          <TextInput
            id="skip-reason"
            value={reason}
            maxLength={maxReason}
            placeholder="Shown with the actions"
            onChange={(_event, next) => setReason(next)}
          />
        </FormGroup>
      </Form>
    </ConfirmButton>
  );
}
