import type { Volume } from '#libs/openstack';

function asPattern(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`);
}

/** Uuids of the volumes in pools (`host@backend#pool`) that one of the patterns names, with `*` for any characters. */
export function hostBoundVolumes(volumes: readonly Volume[], pools: readonly string[]): Set<string> {
  const patterns = pools.map(asPattern);
  const isBound = ({ host }: Volume) => host !== null && patterns.some((pattern) => pattern.test(host));
  return new Set(volumes.filter(isBound).map(({ uuid }) => uuid));
}
