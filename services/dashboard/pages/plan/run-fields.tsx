import { FormGroup, TextInput } from '@patternfly/react-core';
import { FieldHint } from '../../components/form-parts.tsx';
import { text } from '../../texts/texts.ts';

/** Execution options of a plan, as typed. Empty: the applier's configuration. */
export interface RunForm {
  workers: string;
  migrations: string;
  /** Local time without an offset, as in the browser's field. */
  begin: string;
  end: string;
  /** Cron text of the starts of a recurring window, and its length in minutes. */
  cron: string;
  minutes: string;
}

/** No options. */
export const emptyRun: RunForm = { workers: '', migrations: '', begin: '', end: '', cron: '', minutes: '' };

/** Options in the format of the API. */
export function runOptions({ workers, migrations, begin, end, cron, minutes }: RunForm) {
  return {
    ...(workers === '' ? {} : { max_workers: Number(workers) }),
    ...(migrations === '' ? {} : { max_migrations: Number(migrations) }),
    ...(begin === '' ? {} : { window_start: new Date(begin).toISOString() }),
    ...(end === '' ? {} : { window_end: new Date(end).toISOString() }),
    ...(cron.trim() === '' ? {} : { window_cron: cron.trim(), window_seconds: Math.round(Number(minutes || 60) * 60) }),
  };
}

/** Fields for parallelism and schedule. */
export function RunFields({ form, onChange }: { form: RunForm; onChange: (form: RunForm) => void }) {
  const field = (name: keyof RunForm, label: string, type: 'number' | 'datetime-local' | 'text', hint: string) => (
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
      {field('begin', text('field.begin'), 'datetime-local', text('run.startHint'))}
      {field('end', text('field.end'), 'datetime-local', text('run.endHint'))}
      {field('cron', text('field.cron'), 'text', text('run.cronHint'))}
      {form.cron.trim() !== '' && field('minutes', text('run.minutes'), 'number', text('run.minutesHint'))}
    </>
  );
}
