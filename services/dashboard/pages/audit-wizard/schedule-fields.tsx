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
import { serverClock } from '../../api/server-clock.ts';
import { textOf } from '../../components/states.tsx';
import { fullTime } from '../../components/time.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import type { AuditForm } from './audit-form.ts';
import { nextRuns } from './next-runs.ts';

const types = [
  { type: 'ONESHOT', title: 'Once, now', text: 'It runs as soon as it is created.' },
  { type: 'CONTINUOUS', title: 'Again and again', text: 'By an interval or a cron schedule.' },
  { type: 'EVENT', title: 'On an event', text: 'Whenever its webhook is called.' },
] as const;

/** When the audit runs. */
export function ScheduleFields({ form, onChange }: { form: AuditForm; onChange: (form: AuditForm) => void }) {
  const timeZone = useDashboard().session.cron_time_zone;
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
              <HelperTextItem>Seconds between two runs, or cron text (in {timeZone}).</HelperTextItem>
            </HelperText>
          </FormHelperText>
          <NextRuns form={form} timeZone={timeZone} />
        </FormGroup>
      )}
      {form.auditType === 'CONTINUOUS' && (
        <>
          <TimeField
            id="audit-begin"
            label="Not before"
            value={form.begin}
            onChange={(begin) => onChange({ ...form, begin })}
          />
          <TimeField id="audit-end" label="Not after" value={form.end} onChange={(end) => onChange({ ...form, end })} />
        </>
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

interface TimeFieldProps {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function TimeField({ id, label, value, onChange }: TimeFieldProps) {
  return (
    <FormGroup label={label} fieldId={id}>
      <TextInput id={id} type="datetime-local" value={value} onChange={(_event, next) => onChange(next)} />
      <FormHelperText>
        <HelperText>
          <HelperTextItem>In the time zone of this browser. Empty: no limit.</HelperTextItem>
        </HelperText>
      </FormHelperText>
    </FormGroup>
  );
}

function NextRuns({ form: { interval, begin, end }, timeZone }: { form: AuditForm; timeZone: string }) {
  if (interval.trim() === '') return null;
  const now = new Date(serverClock.now());
  const first = begin === '' ? now : new Date(Math.max(now.getTime(), Date.parse(begin)));
  try {
    const runs = nextRuns(interval, first, timeZone).filter((run) => end === '' || run.getTime() <= Date.parse(end));
    if (runs.length === 0) return <Alert isInline isPlain variant="warning" title="It never runs in this time." />;
    return (
      <section aria-label="Next runs" className="vigil-next-runs">
        <strong>Next runs</strong>
        <List isPlain>
          {runs.map((run) => (
            <ListItem key={run.getTime()}>{fullTime(run)}</ListItem>
          ))}
        </List>
      </section>
    );
  } catch (error) {
    return <Alert isInline isPlain variant="warning" title={textOf(error)} />;
  }
}
