import type { PlacementRule, PlacementRuleCreate } from '../../api/find-types.ts';
import { text } from '../../texts/texts.ts';

/** Values of the rule dialog. */
export interface RuleForm {
  name: string;
  description: string;
  kind: PlacementRule['kind'];
  names: string[];
  uuids: string[];
  projects: string[];
  flavors: string[];
  /** `key=pattern`, a line each. */
  metadata: string[];
  hosts: string[];
  aggregates: string[];
  zones: string[];
  strict: boolean;
  maxPerHost: number;
  enabled: boolean;
}

/** An empty dialog. */
export const emptyRule: RuleForm = {
  name: '',
  description: '',
  kind: 'keep_apart',
  names: [],
  uuids: [],
  projects: [],
  flavors: [],
  metadata: [],
  hosts: [],
  aggregates: [],
  zones: [],
  strict: true,
  maxPerHost: 1,
  enabled: true,
};

/** The dialog's values of a rule. */
export function formOf(rule: PlacementRule): RuleForm {
  const { name, description, kind, instances, hosts, strict, max_per_host: most, enabled } = rule;
  return {
    name,
    description: description ?? '',
    kind,
    names: instances.names ?? [],
    uuids: instances.uuids ?? [],
    projects: instances.projects ?? [],
    flavors: instances.flavors ?? [],
    metadata: Object.entries(instances.metadata ?? {}).map(([key, pattern]) => `${key}=${pattern}`),
    hosts: hosts?.names ?? [],
    aggregates: hosts?.aggregates ?? [],
    zones: hosts?.zones ?? [],
    strict,
    maxPerHost: most ?? 1,
    enabled,
  };
}

/** Whether rules of the kind name hosts. */
export function namesHosts(kind: PlacementRule['kind']): boolean {
  return kind === 'prefer_hosts' || kind === 'avoid_hosts';
}

/** The complete rule of the dialog: a change keeps omitted fields. */
export function ruleOf(form: RuleForm): PlacementRuleCreate {
  const { kind, names, uuids, projects, flavors, metadata } = form;
  const pairs = metadata.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return {
    name: form.name.trim(),
    description: form.description.trim() || null,
    kind,
    instances: {
      ...given('names', names),
      ...given('uuids', uuids),
      ...given('projects', projects),
      ...given('flavors', flavors),
      ...(pairs.length > 0 ? { metadata: Object.fromEntries(pairs) } : {}),
    },
    hosts: namesHosts(kind)
      ? { ...given('names', form.hosts), ...given('aggregates', form.aggregates), ...given('zones', form.zones) }
      : null,
    strict: kind === 'leave_alone' || form.strict,
    max_per_host: kind === 'keep_apart' ? form.maxPerHost : null,
    enabled: form.enabled,
  };
}

function given<Name extends string>(name: Name, values: string[]): { [key in Name]?: string[] } {
  return values.length > 0 ? ({ [name]: values } as { [key in Name]?: string[] }) : {};
}

/** Missing or invalid value, in one sentence. Null if there is none. */
export function problemOf(form: RuleForm): string | null {
  if (form.name.trim() === '') return text('rules.needsName');
  const { names, uuids, projects, flavors, metadata, hosts, aggregates, zones } = form;
  if (metadata.some((line) => line.indexOf('=') < 1)) return text('rules.badMetadata');
  if ([names, uuids, projects, flavors, metadata].every((list) => list.length === 0))
    return text('rules.needsInstances');
  if (namesHosts(form.kind) && [hosts, aggregates, zones].every((list) => list.length === 0))
    return text('rules.needsHosts');
  if (form.kind === 'keep_apart' && !(Number.isInteger(form.maxPerHost) && form.maxPerHost >= 1))
    return text('rules.badMost');
  return null;
}
