import { Button, Form, FormGroup, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import { offeredGoals } from '../../components/display-names.tsx';
import { Dialog } from '../../components/lazy-parts.tsx';
import { useNotices } from '../../components/notices.tsx';
import { scopeOf, wholeCloud } from '../../components/scope.ts';
import { ScopeFields } from '../../components/scope-fields.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { useLiveEntities } from '../../live/use-live.ts';
import { displayNameOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';

/** Button and dialog that create a template. */
export function CreateTemplate() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text('templates.create')}</Button>
      {isOpen && <TemplateDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function TemplateDialog({ onClose }: { onClose: () => void }) {
  const { client } = useDashboard();
  const notices = useNotices();
  const goals = useLiveEntities('goal');
  const allStrategies = useLiveEntities('strategy');
  const [name, setName] = useState('');
  const [goal, setGoal] = useState('');
  const [strategy, setStrategy] = useState('');
  const [scope, setScope] = useState(wholeCloud);
  const strategies = allStrategies.filter((known) => known.goal_uuid === goal);
  const create = async () => {
    const rules = scopeOf(scope);
    try {
      await client.api.POST('/v1/audit_templates', {
        body: { name, goal, ...(strategy ? { strategy } : {}), ...(rules.length > 0 ? { scope: rules } : {}) },
      });
      notices.success(text('templates.created'));
      onClose();
    } catch (error) {
      notices.failure(text('templates.notCreated'), error);
    }
  };
  return (
    <Dialog
      title={text('templates.create')}
      variant="medium"
      onClose={onClose}
      buttons={
        <Button isDisabled={name.trim() === '' || goal === ''} onClick={() => void create()}>
          {text('templates.create')}
        </Button>
      }
    >
      <Form onSubmit={(event) => event.preventDefault()}>
        <FormGroup label={text('column.name')} fieldId="template-name" isRequired>
          <TextInput id="template-name" value={name} maxLength={63} onChange={(_event, next) => setName(next)} />
        </FormGroup>
        <FormGroup label={text('column.goal')} fieldId="template-goal" isRequired>
          <FormSelect id="template-goal" value={goal} onChange={(_event, next) => setGoal(next)}>
            <FormSelectOption value="" label={text('templates.chooseGoal')} isPlaceholder />
            {offeredGoals(goals, goal).map((known) => (
              <FormSelectOption key={known.uuid} value={known.uuid} label={displayNameOf('goal', known)} />
            ))}
          </FormSelect>
        </FormGroup>
        <FormGroup label={text('column.strategy')} fieldId="template-strategy">
          <FormSelect id="template-strategy" value={strategy} onChange={(_event, next) => setStrategy(next)}>
            <FormSelectOption value="" label={text('templates.anyStrategy')} />
            {strategies.map((known) => (
              <FormSelectOption key={known.uuid} value={known.uuid} label={displayNameOf('strategy', known)} />
            ))}
          </FormSelect>
        </FormGroup>
        <ScopeFields scope={scope} onChange={setScope} />
      </Form>
    </Dialog>
  );
}
