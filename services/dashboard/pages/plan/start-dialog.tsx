import {
  Button,
  Form,
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from '@patternfly/react-core';
import { useState } from 'react';
import { useDashboard } from '../../api/dashboard-context.tsx';
import { useNotices } from '../../components/notices.tsx';

type FailurePolicy = 'continue' | 'stop' | 'rollback';
const policies: readonly { value: FailurePolicy; label: string }[] = [
  { value: 'continue', label: 'Go on with what does not depend on it' },
  { value: 'stop', label: 'Begin nothing further' },
  { value: 'rollback', label: 'Undo what was done, in reverse order' },
];

/** Asks how a plan is to be executed, and starts it. */
export function StartDialog({ planUuid, onClose }: { planUuid: string; onClose: () => void }) {
  const { client } = useDashboard();
  const notices = useNotices();
  const [policy, setPolicy] = useState<FailurePolicy>('continue');
  const [workers, setWorkers] = useState('');
  const [migrations, setMigrations] = useState('');
  const [begin, setBegin] = useState('');
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      await client.api.POST('/v1/action_plans/{ident}/start', {
        params: { path: { ident: planUuid } },
        body: {
          on_failure: policy,
          ...(workers === '' ? {} : { max_workers: Number(workers) }),
          ...(migrations === '' ? {} : { max_migrations: Number(migrations) }),
          ...(begin === '' ? {} : { window_start: new Date(begin).toISOString() }),
        },
      });
      notices.success('The plan has been started');
      onClose();
    } catch (error) {
      notices.failure('The plan can not be started', error);
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
        <Form id="start-plan">
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
          <NumberField id="start-workers" label="Actions at once" value={workers} onChange={setWorkers} />
          <NumberField id="start-migrations" label="Migrations at most" value={migrations} onChange={setMigrations} />
          <FormGroup label="Not before" fieldId="start-begin">
            <TextInput
              id="start-begin"
              type="datetime-local"
              value={begin}
              onChange={(_event, value) => setBegin(value)}
            />
          </FormGroup>
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button onClick={() => void start()} isLoading={isBusy} isDisabled={isBusy}>
          Start the plan
        </Button>
        <Button variant="link" onClick={onClose}>
          Not now
        </Button>
      </ModalFooter>
    </Modal>
  );
}

interface NumberFieldProps {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function NumberField({ id, label, value, onChange }: NumberFieldProps) {
  return (
    <FormGroup label={label} fieldId={id}>
      <TextInput id={id} type="number" min={1} value={value} onChange={(_event, next) => onChange(next)} />
      <FormHelperText>
        <HelperText>
          <HelperTextItem>Empty: as the applier is configured.</HelperTextItem>
        </HelperText>
      </FormHelperText>
    </FormGroup>
  );
}
