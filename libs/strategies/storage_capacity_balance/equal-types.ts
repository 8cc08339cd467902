import type { StorageSnapshot, StorageTypeInfo } from '#libs/cluster-model';

/** What a type promises apart from the backend: equal for types between which nothing is lost. */
function promises({ extraSpecs }: StorageTypeInfo): string {
  const others = Object.entries(extraSpecs).filter(([key]) => key !== 'volume_backend_name');
  return JSON.stringify(others.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Finds types of a given backend that promise the same as another type. Looking one up costs O(1).
 */
export function createEqualTypes({ types }: StorageSnapshot): (type: string, backend: string) => string[] {
  const known = new Map(types.map((type) => [type.name, promises(type)]));
  const byBackend = new Map<string, string[]>();
  const keyOf = (backend: string, promised: string) => `${backend}\n${promised}`;
  for (const type of types) {
    const key = keyOf(type.extraSpecs.volume_backend_name ?? '', promises(type));
    byBackend.set(key, [...(byBackend.get(key) ?? []), type.name]);
  }
  return (type, backend) => {
    const promised = known.get(type);
    if (promised === undefined) return [];
    return (byBackend.get(keyOf(backend, promised)) ?? []).filter((name) => name !== type);
  };
}
