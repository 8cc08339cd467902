import { phraseOf } from '#libs/client';

/** Labels of the forms by the names that the API has for their fields. */
const labels: Readonly<Record<string, string>> = {
  max_workers: 'Actions at once',
  max_migrations: 'Migrations in all',
  window_start: 'Not before',
  window_end: 'No new action after',
  window_cron: 'Window begins',
  window_seconds: 'Window lasts',
  on_failure: 'When an action fails',
  interval: 'Schedule',
  start_time: 'Not before',
  end_time: 'Not after',
  auto_trigger: 'Start its plans without asking',
  audit_type: 'It runs',
  skip_actions: 'Skipped actions',
  status_message: 'Reason',
  user_domain: 'User domain',
  project_domain: 'Project domain',
};

const field = /(?<![\w/-])(?:[a-z][a-z0-9]*\.)*[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?:\.[a-z][a-z0-9_]*)*(?![\w/])/g;
const uuid = /\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** An error of the API in the words of the page: fields by their labels, ids as lists show them. */
export function errorWords(text: string): string {
  return text
    .replaceAll(field, (name) => {
      const parts = name.split('.').map((part) => labels[part] ?? phraseOf(part));
      return parts.join(' › ');
    })
    .replaceAll(/^(interval|parameters)(?=:)/g, (name) => labels[name] ?? 'Parameters')
    .replaceAll(uuid, '$1');
}
