import type { InstanceSelector } from '#libs/domain';
import type { InstanceInfo } from '../compute-snapshot.ts';
import { isWildcard, wildcardTest } from './wildcard.ts';

/** The attributes by which rules select instances. */
export type RuledInstance = Pick<InstanceInfo, 'uuid' | 'name' | 'projectId' | 'metadata' | 'flavorName'>;

/** Whether an instance meets a condition. */
export type InstanceTest = (
  info: Pick<InstanceInfo, 'flavorExtraSpecs' | 'imageProperties' | 'imageSystem' | 'metadata'>,
) => boolean;

/**
 * Whether an instance meets one of the conditions `property=pattern`: of its image, else of its flavor (extra specs
 * such as `trait:NAME`), else of its metadata. Case does not count.
 */
export function licensedTest(conditions: readonly string[]): InstanceTest {
  const tests = conditions.map((condition) => {
    const at = condition.indexOf('=');
    return { key: condition.slice(0, at), fits: wildcardTest(condition.slice(at + 1).toLowerCase()) };
  });
  return ({ imageProperties, imageSystem, flavorExtraSpecs, metadata }) =>
    tests.some(({ key, fits }) => {
      const value = imageSystem?.[key] ?? imageProperties?.[key] ?? flavorExtraSpecs[key] ?? metadata[key];
      return value !== undefined && fits(value.toLowerCase());
    });
}

/** A selector without conditions selects nothing, because a mistake would select everything. */
export function instanceTest(selector: InstanceSelector): (info: RuledInstance) => boolean {
  const { uuids, names, metadata, projects, flavors } = selector;
  const wanted = Object.entries(metadata ?? {}).map(([key, pattern]) => [key, wildcardTest(pattern)] as const);
  const given = [uuids, names, projects, flavors].some((list) => list && list.length > 0) || wanted.length > 0;
  if (!given) return () => false;
  const [isName, isFlavor] = [anyPattern(names), anyPattern(flavors)];
  const [owners, wantedUuids] = [new Set(projects), new Set(uuids)];
  return (info) =>
    (wantedUuids.size === 0 || wantedUuids.has(info.uuid)) &&
    isName(info.name) &&
    isFlavor(info.flavorName ?? '') &&
    (owners.size === 0 || owners.has(info.projectId)) &&
    wanted.every(([key, test]) => {
      const value = metadataOf(info, key);
      return value !== undefined && test(value);
    });
}

/** Value of a key of the metadata. Undefined without the key. */
export function metadataOf({ metadata }: Pick<InstanceInfo, 'metadata'>, key: string): string | undefined {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

/** Whether a text fits one of the patterns. True without patterns. */
function anyPattern(patterns: readonly string[] | undefined): (text: string) => boolean {
  if (!patterns || patterns.length === 0) return () => true;
  const exact = new Set(patterns);
  const tests = patterns.filter(isWildcard).map(wildcardTest);
  return (text) => exact.has(text) || tests.some((fits) => fits(text));
}
