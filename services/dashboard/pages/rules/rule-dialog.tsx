import { Button, Checkbox, Form, FormGroup, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import type { PlacementRule } from '../../api/find-types.ts';
import { Dialog } from '../../components/lazy-parts.tsx';
import { useNotices } from '../../components/notices.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';
import { emptyRule, formOf, namesHosts, problemOf, type RuleForm, ruleOf } from './rule-form.ts';
import { ruleKinds } from './rule-text.ts';
import { HostFields, InstanceFields } from './selector-fields.tsx';

interface RuleDialogProps {
  /** Null: a new one. */
  rule: PlacementRule | null;
  onClose: () => void;
}

/** Creates or changes a rule. */
export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const { internal } = useDashboard();
  const notices = useNotices();
  const [form, setForm] = useState<RuleForm>(rule ? formOf(rule) : emptyRule);
  const [isBusy, setBusy] = useState(false);
  const problem = problemOf(form);
  const title = rule ? text('rules.editOne', { name: rule.name }) : text('rules.create');
  const save = async () => {
    setBusy(true);
    try {
      const path = rule ? `placement-rules/${rule.uuid}` : 'placement-rules';
      await internal(path, { method: rule ? 'PATCH' : 'POST', body: ruleOf(form) });
      notices.success(rule ? text('rules.changed') : text('rules.created'));
      onClose();
    } catch (error) {
      notices.failure(text('rules.notSaved'), error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      variant="medium"
      onClose={onClose}
      buttons={
        <Button isDisabled={problem !== null || isBusy} isLoading={isBusy} onClick={() => void save()}>
          {rule ? text('rules.save') : text('rules.createIt')}
        </Button>
      }
    >
      <Form onSubmit={(event) => event.preventDefault()}>
        <FormGroup label={text('column.name')} fieldId="rule-name" isRequired>
          <TextInput
            id="rule-name"
            value={form.name}
            maxLength={255}
            onChange={(_event, name) => setForm({ ...form, name })}
          />
        </FormGroup>
        <FormGroup label={text('rules.description')} fieldId="rule-description">
          <TextInput
            id="rule-description"
            value={form.description}
            onChange={(_event, description) => setForm({ ...form, description })}
          />
        </FormGroup>
        <FormGroup label={text('rules.policy')} fieldId="rule-kind">
          <FormSelect
            id="rule-kind"
            value={form.kind}
            onChange={(_event, kind) =>
              setForm({
                ...form,
                kind: ruleKinds.find((known) => known === kind) ?? form.kind,
                strict: kind !== 'prefer_hosts',
              })
            }
          >
            {ruleKinds.map((kind) => (
              <FormSelectOption key={kind} value={kind} label={text(`rules.kind.${kind}`)} />
            ))}
          </FormSelect>
        </FormGroup>
        {form.kind === 'keep_apart' && (
          <FormGroup label={text('rules.most')} fieldId="rule-most">
            <TextInput
              id="rule-most"
              type="number"
              value={Number.isNaN(form.maxPerHost) ? '' : form.maxPerHost}
              onChange={(_event, most) => setForm({ ...form, maxPerHost: most === '' ? Number.NaN : Number(most) })}
            />
          </FormGroup>
        )}
        <InstanceFields form={form} onChange={setForm} />
        {namesHosts(form.kind) && <HostFields form={form} onChange={setForm} />}
        {form.kind !== 'leave_alone' && (
          <Checkbox
            id="rule-strict"
            label={text('rules.strict')}
            description={text('rules.strictHint')}
            isChecked={form.strict}
            onChange={(_event, strict) => setForm({ ...form, strict })}
          />
        )}
        <Checkbox
          id="rule-enabled"
          label={text('rules.enforced')}
          isChecked={form.enabled}
          onChange={(_event, enabled) => setForm({ ...form, enabled })}
        />
        {problem !== null && <Alert isInline isPlain variant="info" title={problem} />}
      </Form>
    </Dialog>
  );
}
