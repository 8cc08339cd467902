import { Content, Form, FormGroup, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { textOf } from '../../components/states.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';
import { skipActions } from './skip-actions.ts';

/** Maximum length. The API stores its own text beside it. */
const maxReason = 220;

interface SkipButtonProps {
  uuids: readonly string[];
  label: string;
  onSkipped?: () => void;
}

/** Skips actions of a plan that has not started, with a reason. */
export function SkipButton({ uuids, label, onSkipped }: SkipButtonProps) {
  const { client } = useDashboard();
  const [reason, setReason] = useState('');
  const count = uuids.length;
  const skip = async () => {
    const refused = await skipActions(client, uuids, reason.trim());
    const [first] = refused;
    if (first)
      throw new Error(text('plan.notSkipped', { refused: refused.length, count, reason: textOf(first.error) }));
    setReason('');
    onSkipped?.();
  };
  return (
    <ConfirmButton
      label={label}
      title={text('plan.confirmSkip', { count })}
      run={skip}
      done={text('plan.skipDone', { count })}
      isDisabled={count === 0}
    >
      <Content component="p">{text('plan.skipHint')}</Content>
      <Form onSubmit={(event) => event.preventDefault()}>
        <FormGroup label={text('field.reason')} fieldId="skip-reason">
          <TextInput
            id="skip-reason"
            value={reason}
            maxLength={maxReason}
            placeholder={text('plan.reasonHint')}
            onChange={(_event, next) => setReason(next)}
          />
        </FormGroup>
      </Form>
    </ConfirmButton>
  );
}
