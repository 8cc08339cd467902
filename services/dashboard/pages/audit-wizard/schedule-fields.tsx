import {
  Alert,
  Checkbox,
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
  List,
  ListItem,
  Radio,
  TextInput,
} from '@patternfly/react-core';
import { textOf } from '../../components/states.tsx';
import type { AuditForm } from './audit-form.ts';
import { nextRuns } from './next-runs.ts';

const types = [
  { type: 'ONESHOT', title: 'Once, now', text: 'It runs as soon as it is created.' },
  { type: 'CONTINUOUS', title: 'Again and again', text: 'By an interval or a cron schedule.' },
  { type: 'EVENT', title: 'On an event', text: 'Whenever its webhook is called.' },
] as const;

/** When the audit runs. */
export function ScheduleFields({ form, onChange }: { form: AuditForm; onChange: (form: AuditForm) => void }) {
  return (
    <>
      <FormGroup role="radiogroup" label="It runs" fieldId="audit-type">
        {types.map(({ type, title, text }) => (
          <Radio
            key={type}
            id={`audit-type-${type}`}
            name="audit-type"
            label={title}
            description={text}
            isChecked={form.auditType === type}
            onChange={() => onChange({ ...form, auditType: type })}
          />
        ))}
      </FormGroup>
      {form.auditType === 'CONTINUOUS' && (
        <FormGroup label="Schedule" fieldId="audit-interval" isRequired>
          <TextInput
            id="audit-interval"
            value={form.interval}
            onChange={(_event, interval) => onChange({ ...form, interval })}
            placeholder="3600 or 0 3 * * *"
          />
          <FormHelperText>
            <HelperText>
              <HelperTextItem>Seconds between two runs, or cron text (in UTC).</HelperTextItem>
            </HelperText>
          </FormHelperText>
          <NextRuns interval={form.interval} />
        </FormGroup>
      )}
      <FormGroup fieldId="audit-auto">
        <Checkbox
          id="audit-auto"
          label="Start its plans without asking"
          description="A plan is executed as soon as it is made."
          isChecked={form.autoTrigger}
          onChange={(_event, autoTrigger) => onChange({ ...form, autoTrigger })}
        />
        <Checkbox
          id="audit-force"
          label="Run although a plan is being executed"
          isChecked={form.force}
          onChange={(_event, force) => onChange({ ...form, force })}
        />
      </FormGroup>
    </>
  );
}

function NextRuns({ interval }: { interval: string }) {
  if (interval.trim() === '') return null;
  try {
    const runs = nextRuns(interval, new Date());
    return (
      <section aria-label="Next runs" className="vigil-next-runs">
        <strong>Next runs</strong>
        <List isPlain>
          {runs.map((run) => (
            <ListItem key={run.getTime()}>{run.toLocaleString()}</ListItem>
          ))}
        </List>
      </section>
    );
  } catch (error) {
    return <Alert isInline isPlain variant="warning" title={textOf(error)} />;
  }
}
