import type { InstanceInfo } from '#libs/cluster-model';

const noes = new Set(['', '0', 'false', 'no']);

/**
 * Whether the metadata of an instance keep it where it is when they are asked: it has some, and `optimize` is not there
 * or says no. Watcher takes any text for yes, `false` too.
 */
export function keptByMetadata({ metadata }: Pick<InstanceInfo, 'metadata'>): boolean {
  return Object.keys(metadata).length > 0 && noes.has((metadata.optimize ?? '').toLowerCase());
}
