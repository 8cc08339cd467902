import { Form, FormGroup, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { Strategy } from '#libs/client';
import { offeredGoals } from '../../components/display-names.tsx';
import { useLiveEntities } from '../../live/use-live.ts';
import { displayNameOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';
import { type AuditForm, withStrategy } from './audit-form.ts';

interface GoalFieldsProps {
  form: AuditForm;
  strategies: readonly Strategy[];
  onChange: (form: AuditForm) => void;
}

/** Fields for goal and strategy. */
export function GoalFields({ form, strategies, onChange }: GoalFieldsProps) {
  const goals = useLiveEntities('goal');
  const sorted = useMemo(() => offeredGoals(goals, form.goal), [goals, form.goal]);
  const chooseGoal = (goal: string) => onChange(withStrategy({ ...form, goal }, undefined));
  const chooseStrategy = (uuid: string) =>
    onChange(
      withStrategy(
        form,
        strategies.find((known) => known.uuid === uuid),
      ),
    );
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <FormGroup label={text('column.name')} fieldId="audit-name">
        <TextInput
          id="audit-name"
          value={form.name}
          maxLength={63}
          placeholder={text('wizard.nameHint')}
          onChange={(_event, name) => onChange({ ...form, name })}
        />
      </FormGroup>
      <FormGroup label={text('column.goal')} fieldId="audit-goal" isRequired>
        <FormSelect id="audit-goal" value={form.goal} onChange={(_event, goal) => chooseGoal(goal)}>
          <FormSelectOption value="" label={text('templates.chooseGoal')} isPlaceholder />
          {sorted.map((goal) => (
            <FormSelectOption key={goal.uuid} value={goal.uuid} label={displayNameOf('goal', goal)} />
          ))}
        </FormSelect>
      </FormGroup>
      <FormGroup label={text('column.strategy')} fieldId="audit-strategy">
        <FormSelect
          id="audit-strategy"
          value={form.strategy}
          isDisabled={form.goal === ''}
          onChange={(_event, uuid) => chooseStrategy(uuid)}
        >
          <FormSelectOption value="" label={text('templates.anyStrategy')} />
          {strategies.map((strategy) => (
            <FormSelectOption key={strategy.uuid} value={strategy.uuid} label={displayNameOf('strategy', strategy)} />
          ))}
        </FormSelect>
      </FormGroup>
    </Form>
  );
}
