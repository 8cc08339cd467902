import { FormGroup, FormSelect, FormSelectOption, List, ListItem, TextInput } from '@patternfly/react-core';
import { timeZones } from '#libs/cron';
import { serverClock } from '../../api/server-clock.ts';
import { FieldHint } from '../../components/form-parts.tsx';
import { textOf } from '../../components/states.tsx';
import { fullTime, zoneName } from '../../components/time.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { text } from '../../texts/texts.ts';
import { nextWindows, type RunForm, repeats, windowSeconds } from './run-options.ts';

interface RunFieldsProps {
  form: RunForm;
  onChange: (form: RunForm) => void;
}

/** Fields for parallelism and schedule. Times have the zone that the page shows, and a recurring window its own. */
export function RunFields({ form, onChange }: RunFieldsProps) {
  const zone = zoneName();
  const field = (
    name: keyof RunForm,
    label: string,
    type: 'number' | 'datetime-local' | 'time' | 'text',
    hint: string,
  ) => (
    <FormGroup label={label} fieldId={`run-${name}`}>
      <TextInput
        id={`run-${name}`}
        type={type}
        {...(type === 'number' ? { min: 1 } : {})}
        value={form[name]}
        onChange={(_event, next) => onChange({ ...form, [name]: next })}
      />
      <FieldHint>{hint}</FieldHint>
    </FormGroup>
  );
  return (
    <>
      {field('workers', text('field.workers'), 'number', text('run.workersHint'))}
      {field('migrations', text('field.migrations'), 'number', text('run.migrationsHint'))}
      {field('start', text('field.start'), 'datetime-local', text('run.startHint', { zone }))}
      {field('end', text('field.end'), 'datetime-local', text('run.endHint', { zone }))}
      <FormGroup label={text('field.cron')} fieldId="run-repeat">
        <FormSelect
          id="run-repeat"
          value={form.repeat}
          onChange={(_event, next) => onChange({ ...form, repeat: repeats.find((known) => known === next) ?? 'never' })}
        >
          {repeats.map((repeat) => (
            <FormSelectOption key={repeat} value={repeat} label={text(`run.repeat.${repeat}`)} />
          ))}
        </FormSelect>
      </FormGroup>
      {form.repeat === 'daily' && field('daily', text('run.daily'), 'time', text('run.dailyHint'))}
      {form.repeat === 'cron' && field('cron', text('run.cron'), 'text', text('run.cronHint'))}
      {form.repeat !== 'never' && <ZoneField zone={form.zone} onChange={(next) => onChange({ ...form, zone: next })} />}
      {form.repeat !== 'never' && field('minutes', text('run.minutes'), 'number', text('run.minutesHint'))}
      {form.repeat !== 'never' && <NextWindows form={form} />}
    </>
  );
}

/** The time zone of a recurring window, including that of the browser under an older name. */
function ZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const known = timeZones();
  const names = known.includes(zone) ? known : [zone, ...known];
  return (
    <FormGroup label={text('field.zone')} fieldId="run-zone">
      <FormSelect id="run-zone" value={zone} onChange={(_event, next) => onChange(next)}>
        {names.map((name) => (
          <FormSelectOption key={name} value={name} label={name} />
        ))}
      </FormSelect>
      <FieldHint>{text('run.zoneHint')}</FieldHint>
    </FormGroup>
  );
}

/** The next windows in the zone of the page, or the reason for their absence. */
function NextWindows({ form }: { form: RunForm }) {
  if (form.repeat === 'cron' && form.cron.trim() === '') return null;
  try {
    const starts = nextWindows(form, new Date(serverClock.now()));
    if (starts.length === 0) return <Alert isInline isPlain variant="warning" title={text('schedule.neverInTime')} />;
    return (
      <section aria-label={text('run.windows')} className="vigil-next-runs">
        <strong>{text('run.windows')}</strong>
        <List isPlain>
          {starts.map((start) => (
            <ListItem key={start.getTime()}>
              {text('run.window', {
                start: fullTime(start),
                end: fullTime(start.getTime() + windowSeconds(form) * 1000),
              })}
            </ListItem>
          ))}
        </List>
      </section>
    );
  } catch (error) {
    return <Alert isInline isPlain variant="warning" title={textOf(error)} />;
  }
}
