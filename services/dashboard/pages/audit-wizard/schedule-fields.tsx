import {
  Checkbox,
  FormGroup,
  FormSelect,
  FormSelectOption,
  List,
  ListItem,
  Radio,
  TextInput,
} from '@patternfly/react-core';
import { serverClock } from '../../api/server-clock.ts';
import { FieldHint } from '../../components/form-parts.tsx';
import { Schedule } from '../../components/schedule.tsx';
import { textOf } from '../../components/states.tsx';
import { fullTime } from '../../components/time.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';
import { type AuditForm, automationLevels } from './audit-form.ts';
import { nextRuns } from './next-runs.ts';

const types = [
  { type: 'ONESHOT', title: 'schedule.once', hint: 'schedule.onceHint' },
  { type: 'CONTINUOUS', title: 'schedule.recurring', hint: 'schedule.recurringHint' },
  { type: 'EVENT', title: 'schedule.event', hint: 'schedule.eventHint' },
] as const;

/** Fields for the schedule of the audit. */
export function ScheduleFields({ form, onChange }: { form: AuditForm; onChange: (form: AuditForm) => void }) {
  const timeZone = useDashboard().session.cron_time_zone;
  return (
    <>
      <FormGroup role="radiogroup" label={text('field.auditType')} fieldId="audit-type">
        {types.map(({ type, title, hint }) => (
          <Radio
            key={type}
            id={`audit-type-${type}`}
            name="audit-type"
            label={text(title)}
            description={text(hint)}
            isChecked={form.auditType === type}
            onChange={() => onChange({ ...form, auditType: type })}
          />
        ))}
      </FormGroup>
      {form.auditType === 'CONTINUOUS' && (
        <FormGroup label={text('field.schedule')} fieldId="audit-interval" isRequired>
          <TextInput
            id="audit-interval"
            value={form.interval}
            onChange={(_event, interval) => onChange({ ...form, interval })}
            placeholder="3600 or 0 3 * * *"
          />
          <FieldHint>{text('schedule.hint', { zone: timeZone })}</FieldHint>
          <NextRuns form={form} timeZone={timeZone} />
        </FormGroup>
      )}
      {form.auditType === 'CONTINUOUS' && (
        <>
          <TimeField
            id="audit-start"
            label={text('field.start')}
            value={form.start}
            onChange={(start) => onChange({ ...form, start })}
          />
          <TimeField
            id="audit-end"
            label={text('field.auditEnd')}
            value={form.end}
            onChange={(end) => onChange({ ...form, end })}
          />
        </>
      )}
      <FormGroup label={text('field.automation')} fieldId="audit-automation">
        <FormSelect
          id="audit-automation"
          value={String(form.level)}
          onChange={(_event, value) =>
            onChange({ ...form, level: automationLevels.find((known) => String(known) === value) ?? 1 })
          }
        >
          {automationLevels.map((level) => (
            <FormSelectOption key={level} value={String(level)} label={text(`automation.${level}`)} />
          ))}
        </FormSelect>
        <FieldHint>{text('schedule.autoHint')}</FieldHint>
      </FormGroup>
      <FormGroup fieldId="audit-force">
        <Checkbox
          id="audit-force"
          label={text('schedule.force')}
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
      <FieldHint>{text('schedule.zoneHint')}</FieldHint>
    </FormGroup>
  );
}

function NextRuns({ form: { interval, start, end }, timeZone }: { form: AuditForm; timeZone: string }) {
  if (interval.trim() === '') return null;
  const now = new Date(serverClock.now());
  const first = start === '' ? now : new Date(Math.max(now.getTime(), Date.parse(start)));
  try {
    const runs = nextRuns(interval, first, timeZone).filter((run) => end === '' || run.getTime() <= Date.parse(end));
    if (runs.length === 0) return <Alert isInline isPlain variant="warning" title={text('schedule.neverInTime')} />;
    return (
      <section aria-label={text('schedule.next')} className="vigil-next-runs">
        {!/^\d+$/.test(interval.trim()) && (
          <p data-testid="schedule-words">
            <Schedule interval={interval.trim()} timeZone={timeZone} />
          </p>
        )}
        <strong>{text('schedule.next')}</strong>
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
