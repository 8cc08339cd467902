import { writtenNumber } from './formats.ts';
import { wordsOf } from './words.ts';

/** How an indicator is shown. `share`: a fraction of 1, shown in percent, as deviations of load and allocation are. */
interface Definition {
  title: string;
  kind: 'share' | 'count' | 'amount';
  unit?: string;
}

/**
 * Indicators of the built-in goals and of the measured cluster. Those of plugins have the unit and description of their
 * definition.
 */
const definitions: Readonly<Record<string, Definition>> = {
  standard_deviation_before_audit: { title: 'Deviation of load across hosts, before', kind: 'share' },
  standard_deviation_after_audit: { title: 'Deviation of load across hosts, after', kind: 'share' },
  instance_migrations_count: { title: 'Migrations', kind: 'count' },
  instances_count: { title: 'Instances', kind: 'count' },
  live_migrations_count: { title: 'Migrated instances', kind: 'amount' },
  compute_nodes_count: { title: 'Hosts considered', kind: 'count' },
  released_compute_nodes_count: { title: 'Hosts freed', kind: 'count' },
  released_nodes_ratio: { title: 'Hosts freed', kind: 'amount' },
  points_before_audit: { title: 'Possible gain, before', kind: 'amount', unit: '%' },
  points_after_audit: { title: 'Possible gain, after', kind: 'amount', unit: '%' },
  gained_ratio: { title: 'Achieved part of the possible gain', kind: 'amount' },
  moved_memory: { title: 'Migrated memory', kind: 'amount' },
  hosts: { title: 'Hosts', kind: 'count' },
  hosts_enabled: { title: 'Hosts enabled', kind: 'count' },
  hosts_empty: { title: 'Hosts without instances', kind: 'count' },
  instances: { title: 'Instances', kind: 'count' },
  vcpu_share_deviation: { title: 'Deviation of allocated vCPUs', kind: 'share' },
  memory_share_deviation: { title: 'Deviation of allocated memory', kind: 'share' },
  cpu_load_deviation: { title: 'Deviation of CPU load', kind: 'share' },
};

/** Names of one quantity: when the audit ran, and after the plan. */
export const quantities = [
  {
    title: 'Deviation of load across hosts',
    before: 'standard_deviation_before_audit',
    after: 'standard_deviation_after_audit',
  },
] as const;

/** Titles of the deviation of strategies that do not even out the load of hosts. */
const deviationTitles: Readonly<Record<string, string>> = {
  allocation_balance: 'Deviation of allocation across hosts',
  storage_capacity_balance: 'Deviation of use over pools',
};

/** The quantities that a strategy improves, with their titles for it. */
export function quantitiesOf(
  strategy: string | null | undefined,
): readonly { title: string; before: string; after: string }[] {
  const title = deviationTitles[strategy ?? ''];
  return title === undefined ? quantities : quantities.map((quantity) => ({ ...quantity, title }));
}

/**
 * The part of the possible gain that a plan of a search reaches, from 0 to 1. The rest is a bound that no plan may
 * reach. Undefined for plans without points, where no better placement exists, and where a plan makes its aim worse to
 * repair a rule or a capacity.
 */
export function gainedShare(indicators: readonly { name: string; value?: number | null }[]): number | undefined {
  const valueIn = (name: string) => indicators.find((indicator) => indicator.name === name)?.value;
  const [before, after] = [valueIn('points_before_audit'), valueIn('points_after_audit')];
  if (typeof before !== 'number' || typeof after !== 'number' || before <= 0 || after > before) return undefined;
  return (before - after) / before;
}

/**
 * Strategies whose deviations are of counts, such as instances on hosts, where the plan names no other unit: plain
 * numbers, and no parts of 1.
 */
const ofCounts = new Set(['allocation_balance']);

/** Indicators with the units of their strategy, where the goal's definition leaves the unit open. */
export function withUnits<Kind extends { name: string; unit?: string | null }>(
  indicators: readonly Kind[],
  strategy: string | null | undefined,
): Kind[] {
  const isCount = ofCounts.has(strategy ?? '');
  const isOpen = ({ unit }: Kind) => unit === null || unit === undefined;
  return indicators.map((indicator) =>
    isCount && isOpen(indicator) && definitions[indicator.name]?.kind === 'share'
      ? { ...indicator, unit: 'number' }
      : indicator,
  );
}

/** Title of an indicator. */
export function indicatorTitle(name: string): string {
  return definitions[name]?.title ?? wordsOf(name);
}

/**
 * An indicator's value in readable form, with the unit of its definition. Numbers as `locale` (default English) writes
 * them.
 */
export function indicatorText(
  name: string,
  value: number | null | undefined,
  unit?: string | null,
  locale = 'en',
): string {
  if (value === null || value === undefined) return '–';
  const known = definitions[name];
  if (known?.kind === 'share' && unit === 'number') return writtenNumber(value, locale, { most: 2 });
  if (known?.kind === 'share' || unit === 'fraction') return shareText(value, locale);
  const shown = known?.unit ?? unit;
  const text = writtenNumber(value, locale, { most: known?.kind === 'count' ? 0 : 1 });
  return shown ? `${text}\u00a0${shown}` : text;
}

/** A fraction of 1 in percent: `25.7 %`. Numbers as `locale` (default English) writes them. */
export function shareText(value: number, locale = 'en'): string {
  return `${writtenNumber(value * 100, locale, { least: 1, most: 1 })}\u00a0%`;
}
