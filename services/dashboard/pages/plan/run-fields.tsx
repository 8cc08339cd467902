import { FormGroup, FormHelperText, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';

/** How a plan is to be executed, as typed; empty: as the applier is configured. */
export interface RunForm {
  workers: string;
  migrations: string;
  /** Local time without an offset, as the browser's field has it. */
  begin: string;
  end: string;
  /** Cron text of the beginnings of a window that comes again, and its length in minutes. */
  cron: string;
  minutes: string;
}

/** Nothing is asked for. */
export const emptyRun: RunForm = { workers: '', migrations: '', begin: '', end: '', cron: '', minutes: '' };

/** What the API is told. */
export function runOptions({ workers, migrations, begin, end, cron, minutes }: RunForm) {
  return {
    ...(workers === '' ? {} : { max_workers: Number(workers) }),
    ...(migrations === '' ? {} : { max_migrations: Number(migrations) }),
    ...(begin === '' ? {} : { window_start: new Date(begin).toISOString() }),
    ...(end === '' ? {} : { window_end: new Date(end).toISOString() }),
    ...(cron.trim() === '' ? {} : { window_cron: cron.trim(), window_seconds: Math.round(Number(minutes || 60) * 60) }),
  };
}

/** Fields about how much may happen at once, and when. */
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
      <FormHelperText>
        <HelperText>
          <HelperTextItem>{hint}</HelperTextItem>
        </HelperText>
      </FormHelperText>
    </FormGroup>
  );
  return (
    <>
      {field('workers', 'Actions at once', 'number', 'Empty: as the applier is configured.')}
      {field('migrations', 'Migrations in all', 'number', 'No more are begun. Empty: no limit.')}
      {field('begin', 'Not before', 'datetime-local', 'In the time zone of this browser. Empty: at once.')}
      {field('end', 'No new action after', 'datetime-local', 'Empty: no limit.')}
      {field(
        'cron',
        'Window begins',
        'text',
        'Cron text in UTC, such as 0 22 * * * for every evening: actions begin in this window only. Empty: none.',
      )}
      {form.cron.trim() !== '' && field('minutes', 'Window lasts (minutes)', 'number', 'Empty: an hour.')}
    </>
  );
}
