import { wordsOf } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';

const terms = [
  'disabled_hosts',
  'broken_groups',
  'broken_rules',
  'misplaced',
  'over_capacity',
  'above_target',
  'hot_spots',
  'hot_memory',
  'headroom',
  'near_limit',
  'cpu_balance',
  'memory_balance',
  'vcpus_balance',
  'instances_balance',
  'hosts_in_use',
  'moved_memory',
  'licensed_hosts',
] as const;
const units = ['instances', 'hosts', 'places'] as const;

/** Title of a term of an objective. Those of plugins have the words of their name. */
export function termTitle(name: string): string {
  const known = terms.find((term) => term === name);
  return known ? text(`term.${known}`) : wordsOf(name);
}

/** Unit of so many of a term in the language of the page. Symbols stay. */
export function termUnit(unit: string, count: number): string {
  const known = units.find((word) => word === unit);
  return known ? text(`term.unit.${known}`, { count }) : unit;
}
