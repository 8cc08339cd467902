import { wordsOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';

/** Titles of fields, as the forms have them. */
const titleKeys = {
  name: 'column.name',
  goal: 'column.goal',
  strategy: 'column.strategy',
  state: 'column.state',
  host: 'column.host',
  hosts: 'column.hosts',
  zone: 'column.zone',
  scope: 'column.scope',
  audit_type: 'field.auditType',
  auto_trigger: 'field.autoTrigger',
  interval: 'field.schedule',
  parameters: 'field.parameters',
  on_failure: 'field.policy',
  window_start: 'field.start',
  window_end: 'field.end',
  reason: 'field.reason',
  kind: 'log.kind',
  question: 'whatIf.question',
  flavor: 'whatIf.flavor',
  count: 'whatIf.placed',
  boot_from_volume: 'whatIf.fromVolume',
} as const;
const questions = ['lose', 'remove', 'add', 'place', 'ratio', 'move'] as const;

/**
 * The summary of an entry in words, such as `Goal: Server Consolidation · Audit type: ONESHOT`. Parts of another form
 * stay as they are.
 * @param names display names of goals and strategies by their names and uuids
 */
export function summaryWords(summary: string, names: ReadonlyMap<string, string>): string {
  return summary
    .split(', ')
    .map((part) => partWords(part, names))
    .join(' · ');
}

function partWords(part: string, names: ReadonlyMap<string, string>): string {
  const [, field, value = ''] = /^(\w+)=(.*)$/.exec(part) ?? [];
  if (field !== undefined) return `${titleOf(field)}: ${valueWords(field, value, names)}`;
  const [, path, replaced = ''] = /^(?:add|replace) \/(\w+) (.+)$/.exec(part) ?? [];
  return path === undefined ? part : `${titleOf(path)}: ${valueWords(path, replaced, names)}`;
}

function titleOf(field: string): string {
  const key = Object.hasOwn(titleKeys, field) ? titleKeys[field as keyof typeof titleKeys] : undefined;
  return key ? text(key) : wordsOf(field);
}

function valueWords(field: string, value: string, names: ReadonlyMap<string, string>): string {
  if (value === 'true' || value === 'false') return text(value === 'true' ? 'common.yes' : 'common.no');
  if (field === 'goal' || field === 'strategy') return names.get(value) ?? value;
  const question = field === 'question' ? questions.find((known) => known === value) : undefined;
  if (question) return text(`whatIf.question.${question}`);
  // Of objects only the names of their fields are stored, of lists only their length.
  const [, fields] = /^\{(.*)\}$/.exec(value) ?? [];
  if (fields !== undefined) return fields.split(' ').map(wordsOf).join(', ');
  const [, count] = /^\[(\d+)\]$/.exec(value) ?? [];
  return count ?? value;
}
