import { phraseOf } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';

/** Form labels by API field name. */
const labels: () => Readonly<Record<string, string>> = () => ({
  max_workers: text('field.workers'),
  max_migrations: text('field.migrations'),
  window_start: text('field.start'),
  window_end: text('field.end'),
  window_cron: text('field.cron'),
  window_seconds: text('field.windowLasts'),
  window_zone: text('field.zone'),
  on_failure: text('field.policy'),
  interval: text('field.schedule'),
  start_time: text('field.start'),
  end_time: text('field.auditEnd'),
  auto_trigger: text('field.autoTrigger'),
  audit_type: text('field.auditType'),
  skip_actions: text('field.skipped'),
  status_message: text('field.reason'),
  user_domain: text('session.userDomain'),
  project_domain: text('session.projectDomain'),
});

const field = /(?<![\w/-])(?:[a-z][a-z0-9]*\.)*[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?:\.[a-z][a-z0-9_]*)*(?![\w/])/g;
const uuid = /\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/**
 * An API error with the words of the page: fields by their labels, ids as in lists. A message starts with its field,
 * such as `thresholds.instance_cpu_usage must be at most 1`. Other identifiers, such as names of hosts, stay unchanged.
 */
export function errorWords(message: string): string {
  const known = labels();
  return message
    .replaceAll(field, (name, at: number) => {
      const isField = at === 0 && (name.includes('.') || message[name.length] === ':');
      if (isField)
        return name
          .split('.')
          .map((part) => known[part] ?? phraseOf(part))
          .join(' › ');
      return known[name] ?? name;
    })
    .replaceAll(/^(interval|parameters)(?=:)/g, (name) => known[name] ?? text('field.parameters'))
    .replaceAll(uuid, '$1');
}
