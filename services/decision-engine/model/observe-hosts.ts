import { type ComputeSnapshot, hostFingerprints } from '#libs/cluster-model';
import type { Clock } from '#libs/domain';
import type { HostSighting, UnitOfWork } from '#libs/store';
import type { ModelKeeper } from './model-keeper.ts';

export interface ObserveHostsDeps {
  store: { db: Pick<UnitOfWork, 'hostVersions'> };
  model: Pick<ModelKeeper, 'latest'>;
  clock: Clock;
}

/**
 * Creates the function that raises the versions of the hosts that changed since its last call. An incomplete model
 * raises none: its missing parts may not have changed.
 */
export function createHostObserver({ store, model, clock }: ObserveHostsDeps): () => Promise<void> {
  let seen: { picture: ComputeSnapshot; fingerprints: Map<string, string> } | null = null;
  return async () => {
    const picture = model.latest();
    if (!picture?.complete || picture === seen?.picture) return;
    const fingerprints = hostFingerprints(picture);
    const changes = changesOf(seen?.fingerprints ?? new Map(), fingerprints);
    // A model that notifications changed is newer than its collection.
    const isFollowed = picture.takenAtMs === seen?.picture.takenAtMs;
    const ageMs = isFollowed ? 0 : clock.now() - picture.takenAtMs;
    if (changes.length > 0) await store.db.hostVersions.observe(changes, ageMs);
    seen = { picture, fingerprints };
  };
}

function changesOf(before: Map<string, string>, after: Map<string, string>): HostSighting[] {
  const changed = [...after].filter(([hostname, fingerprint]) => before.get(hostname) !== fingerprint);
  const removed = [...before.keys()].filter((hostname) => !after.has(hostname));
  return [
    ...changed.map(([hostname, fingerprint]) => ({ hostname, fingerprint })),
    ...removed.map((hostname) => ({ hostname, fingerprint: '' })),
  ];
}
