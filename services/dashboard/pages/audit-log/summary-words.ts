import { translatedTitle } from '../../components/parameter-texts.ts';
import { auditTypeText, wordsOf } from '../../texts/api-names.ts';
import { nameOf, text } from '../../texts/texts.ts';
import { ruleKinds } from '../rules/rule-text.ts';

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
  description: 'rules.description',
  instances: 'column.instances',
  strict: 'rules.strict',
  max_per_host: 'rules.most',
} as const;
const questions = ['lose', 'remove', 'add', 'place', 'ratio', 'move'] as const;

/** Fields that have parameters of a strategy. */
const parameterFields = new Set(['parameters', 'default_parameters']);
/** Fields whose values have names in the language of the page. */
const namedFields = new Set(['kind', 'on_failure', 'level']);

/** Names of the language of the page. */
export interface SummaryNames {
  /** Display names of goals and strategies by their names and uuids. */
  entities: ReadonlyMap<string, string>;
  /** Titles of parameters by their names. */
  parameters: ReadonlyMap<string, string>;
}

/** Titles of the parameters of all strategies that have one in the language of the page, by their names. */
export function parameterTitles(strategies: readonly { parameters_spec?: unknown }[]): Map<string, string> {
  const titles = new Map<string, string>();
  for (const { parameters_spec: spec } of strategies) {
    const properties = (spec as { properties?: Record<string, object> } | null | undefined)?.properties ?? {};
    for (const [name, part] of Object.entries(properties)) {
      const title = translatedTitle(name, part);
      if (title !== undefined && !titles.has(name)) titles.set(name, title);
    }
  }
  return titles;
}

/**
 * The summary of an entry in words, such as `Goal: Server Consolidation · Audit type: One-time`. Parts of another form
 * stay as they are.
 */
export function summaryWords(summary: string, names: SummaryNames): string {
  return summary
    .split(', ')
    .map((part) => partWords(part, names))
    .join(' · ');
}

function partWords(part: string, names: SummaryNames): string {
  const [, field, value = ''] = /^(\w+)=(.*)$/.exec(part) ?? [];
  if (field !== undefined) return `${titleOf([field], names)}: ${valueWords(field, value, names)}`;
  const [, operation, path, replaced = ''] = /^(add|replace|remove) \/([\w/]+)(?: (.+))?$/.exec(part) ?? [];
  const [first, ...rest] = path?.split('/') ?? [];
  if (first === undefined) return part;
  const title = titleOf([first, ...rest], names);
  if (operation === 'remove') return `${title}: ${text('log.removed')}`;
  return `${title}: ${rest.length === 0 ? valueWords(first, replaced, names) : plainWords(replaced)}`;
}

/** Titles along a path, such as `Parameters › Time limit`. */
function titleOf([field = '', ...rest]: readonly string[], { parameters }: SummaryNames): string {
  const key = Object.hasOwn(titleKeys, field) ? titleKeys[field as keyof typeof titleKeys] : undefined;
  const title = key ? text(key) : (nameOf(`field.${field}`) ?? wordsOf(field));
  const inner = rest.map((name) => (parameterFields.has(field) ? parameterTitle(name, parameters) : wordsOf(name)));
  return [title, ...inner].join(' › ');
}

const parameterTitle = (name: string, titles: SummaryNames['parameters']) => titles.get(name) ?? wordsOf(name);

function valueWords(field: string, value: string, { entities, parameters }: SummaryNames): string {
  if (field === 'audit_type') return auditTypeText(value);
  if (field === 'goal' || field === 'strategy') return entities.get(value) ?? value;
  const question = field === 'question' ? questions.find((known) => known === value) : undefined;
  if (question) return text(`whatIf.question.${question}`);
  const kind = field === 'kind' ? ruleKinds.find((known) => known === value) : undefined;
  if (kind) return text(`rules.kind.${kind}`);
  if (namedFields.has(field)) return nameOf(value) ?? value;
  // Of objects only the names of their fields are stored, of lists only their length.
  const [, fields] = /^\{(.*)\}$/.exec(value) ?? [];
  if (fields === undefined) return plainWords(value);
  if (fields === '') return text('common.none');
  const isOfParameters = parameterFields.has(field);
  return fields
    .split(' ')
    .map((name) => (isOfParameters ? parameterTitle(name, parameters) : wordsOf(name)))
    .join(', ');
}

function plainWords(value: string): string {
  if (value === 'true' || value === 'false') return text(value === 'true' ? 'common.yes' : 'common.no');
  const [, count] = /^\[(\d+)\]$/.exec(value) ?? [];
  return count ?? value;
}
