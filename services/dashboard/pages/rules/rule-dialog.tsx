import {
  Alert,
  Button,
  Checkbox,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from '@patternfly/react-core';
import { useState } from 'react';
import type { PlacementRule } from '../../api/find-types.ts';
import { useNotices } from '../../components/notices.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { emptyRule, formOf, namesHosts, problemOf, type RuleForm, ruleOf } from './rule-form.ts';
import { kindTitles } from './rule-text.ts';
import { HostFields, InstanceFields } from './selector-fields.tsx';

const kinds = Object.keys(kindTitles) as PlacementRule['kind'][];

interface RuleDialogProps {
  /** Null: a new one. */
  rule: PlacementRule | null;
  onClose: () => void;
}

/** Makes or changes a rule. */
export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const { internal } = useDashboard();
  const notices = useNotices();
  const [form, setForm] = useState<RuleForm>(rule ? formOf(rule) : emptyRule);
  const [isBusy, setBusy] = useState(false);
  const problem = problemOf(form);
  const title = rule ? `Edit ${rule.name}` : 'Create rule';
  const save = async () => {
    setBusy(true);
    try {
      const path = rule ? `placement-rules/${rule.uuid}` : 'placement-rules';
      await internal(path, { method: rule ? 'PATCH' : 'POST', body: ruleOf(form) });
      notices.success(rule ? 'The rule is changed' : 'The rule is made');
      onClose();
    } catch (error) {
      notices.failure('The rule cannot be saved', error);
      setBusy(false);
    }
  };
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-label={title}>
      <ModalHeader title={title} />
      <ModalBody>
        <Form onSubmit={(event) => event.preventDefault()}>
          <FormGroup label="Name" fieldId="rule-name" isRequired>
            <TextInput
              id="rule-name"
              value={form.name}
              maxLength={255}
              onChange={(_event, name) => setForm({ ...form, name })}
            />
          </FormGroup>
          <FormGroup label="Description" fieldId="rule-description">
            <TextInput
              id="rule-description"
              value={form.description}
              onChange={(_event, description) => setForm({ ...form, description })}
            />
          </FormGroup>
          <FormGroup label="Asks for" fieldId="rule-kind">
            <FormSelect
              id="rule-kind"
              value={form.kind}
              onChange={(_event, kind) =>
                setForm({
                  ...form,
                  kind: kinds.find((known) => known === kind) ?? form.kind,
                  strict: kind !== 'prefer_hosts',
                })
              }
            >
              {kinds.map((kind) => (
                <FormSelectOption key={kind} value={kind} label={kindTitles[kind]} />
              ))}
            </FormSelect>
          </FormGroup>
          {form.kind === 'keep_apart' && (
            <FormGroup label="On one host at most" fieldId="rule-most">
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
              label="Strict"
              description="Moves that break it are refused; otherwise they are avoided where possible."
              isChecked={form.strict}
              onChange={(_event, strict) => setForm({ ...form, strict })}
            />
          )}
          <Checkbox
            id="rule-enabled"
            label="Enforced"
            isChecked={form.enabled}
            onChange={(_event, enabled) => setForm({ ...form, enabled })}
          />
          {problem !== null && <Alert isInline isPlain variant="info" title={problem} />}
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button isDisabled={problem !== null || isBusy} isLoading={isBusy} onClick={() => void save()}>
          {rule ? 'Save the rule' : 'Create the rule'}
        </Button>
        <Button variant="link" onClick={onClose}>
          Not now
        </Button>
      </ModalFooter>
    </Modal>
  );
}
