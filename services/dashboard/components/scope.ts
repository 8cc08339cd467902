import { text } from '../texts/texts.ts';
/** Fields of the scope builder, each a list of names or ids. */
export interface ScopeForm {
  zones: string[];
  aggregates: string[];
  excludedInstances: string[];
  excludedNodes: string[];
  excludedProjects: string[];
  excludedAggregates: string[];
}

/** The whole cloud. */
export const wholeCloud: ScopeForm = {
  zones: [],
  aggregates: [],
  excludedInstances: [],
  excludedNodes: [],
  excludedProjects: [],
  excludedAggregates: [],
};

/** A form as Watcher's scope. Empty for the whole cloud. Numeric aggregates are ids. */
export function scopeOf(form: ScopeForm): Record<string, never>[] {
  const rules: object[] = [];
  if (form.zones.length > 0) rules.push({ availability_zones: form.zones.map((name) => ({ name })) });
  if (form.aggregates.length > 0) rules.push({ host_aggregates: form.aggregates.map(aggregateOf) });
  const exclude: object[] = [];
  if (form.excludedInstances.length > 0) exclude.push({ instances: form.excludedInstances.map((uuid) => ({ uuid })) });
  if (form.excludedNodes.length > 0) exclude.push({ compute_nodes: form.excludedNodes.map((name) => ({ name })) });
  if (form.excludedProjects.length > 0) exclude.push({ projects: form.excludedProjects.map((uuid) => ({ uuid })) });
  if (form.excludedAggregates.length > 0) exclude.push({ host_aggregates: form.excludedAggregates.map(aggregateOf) });
  if (exclude.length > 0) rules.push({ exclude });
  // The document declares rules as objects without known fields.
  return rules.length > 0 ? [{ compute: rules } as Record<string, unknown> as Record<string, never>] : [];
}

function aggregateOf(given: string): { id: number } | { name: string } {
  return /^\d+$/.test(given) ? { id: Number(given) } : { name: given };
}

const words = {
  availability_zones: 'scope.zone',
  host_aggregates: 'scope.aggregate',
  compute_nodes: 'scope.host',
  instances: 'scope.instance',
  projects: 'scope.project',
} as const;
const isKeyword = (name: string): name is keyof typeof words => Object.hasOwn(words, name);

/** A scope in words, such as `compute: zone az1; without host c1`. Unknown rules appear unchanged. */
export function scopeText(scope: readonly unknown[]): string {
  if (scope.length === 0) return text('scope.everything');
  return scope
    .flatMap((part) => Object.entries(part as Record<string, unknown>))
    .map(([model, rules]) => `${model}: ${rulesText(rules) || text('scope.all')}`)
    .join('; ');
}

function rulesText(rules: unknown): string {
  if (!Array.isArray(rules)) return JSON.stringify(rules);
  return rules
    .flatMap((rule) => Object.entries(rule as Record<string, unknown>))
    .map(([name, value]) =>
      name === 'exclude'
        ? text('scope.without', { names: rulesText(value) })
        : isKeyword(name)
          ? text(words[name], { names: namesText(value) })
          : `${name} ${namesText(value)}`,
    )
    .join(', ');
}

function namesText(values: unknown): string {
  if (!Array.isArray(values)) return JSON.stringify(values);
  return values
    .map((value) => (typeof value === 'object' && value !== null ? Object.values(value).join(' ') : String(value)))
    .join(', ');
}
