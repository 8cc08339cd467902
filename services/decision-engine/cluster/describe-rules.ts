import { ruleEffects } from '#libs/cluster-model';
import { type ClusterRulesResponse, isRefusal, type RpcRefusal, refuse } from '#libs/messaging';
import type { Store } from '#libs/store';
import { latestModel } from '../model/fresh-enough.ts';
import type { ClusterDeps } from './describe-cluster.ts';

/** Maximum age of a model in milliseconds. An older model is returned while the next one is collected. */
const shownAgeMs = 60_000;
/** Misplaced instances that a rule names, at most. */
const maxExamples = 10;

/** Returns `cluster.rules`. */
export async function describeRules({
  model,
  logger,
  store,
}: Pick<ClusterDeps, 'model' | 'logger'> & { store: Pick<Store, 'db'> }): Promise<ClusterRulesResponse | RpcRefusal> {
  const snapshot = await latestModel(model, shownAgeMs, logger).catch((error: unknown) =>
    refuse('model_not_available', error),
  );
  if (isRefusal(snapshot)) return snapshot;
  const rules = await store.db.placementRules.list({ sortKey: 'name' });
  const effects = ruleEffects(snapshot, rules);
  const { hostInfo, instanceInfo, instances } = snapshot;
  return {
    taken_at: new Date(snapshot.takenAtMs).toISOString(),
    rules: rules.map(({ uuid }, at) => {
      const { instances: about, hosts, misplaced } = effects[at] ?? { instances: [], hosts: null, misplaced: [] };
      return {
        uuid,
        instances: about.length,
        hosts: hosts?.length ?? null,
        misplaced: misplaced.length,
        examples: misplaced.slice(0, maxExamples).map((row) => ({
          uuid: instanceInfo[row]?.uuid ?? '',
          name: instanceInfo[row]?.name ?? '',
          hostname: hostInfo[instances.host[row] as number]?.hostname ?? null,
        })),
      };
    }),
  };
}
