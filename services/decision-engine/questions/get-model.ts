import { applyScope, type ComputeSnapshot, toDataModelList } from '#libs/cluster-model';
import type { AuditScope } from '#libs/domain';
import { isRefusal, type ModelGetAnswer, type ModelGetQuestion, type RpcRefusal } from '#libs/messaging';
import type { Store } from '#libs/store';
import type { ModelKeeper } from '../model/model-keeper.ts';
import { refuse, refuseBecause } from './refusals.ts';

export interface GetModelDeps {
  store: Store;
  model: ModelKeeper;
  modelMaxAgeMs: number;
}

/** Answers `model.get`. Only the compute model has a list form, as in Watcher. */
export async function getModel(
  { data_model_type, audit }: ModelGetQuestion,
  { store, model, modelMaxAgeMs }: GetModelDeps,
): Promise<ModelGetAnswer | RpcRefusal> {
  if (data_model_type !== 'compute')
    return refuse('data_model_not_found', `The ${data_model_type} data model could not be found`);
  const scope = await scopeOf(store, audit);
  if (!Array.isArray(scope)) return scope;
  const snapshot: ComputeSnapshot | RpcRefusal = await model
    .fresh(modelMaxAgeMs)
    .catch((error: unknown) => refuse('model_not_available', error));
  if (isRefusal(snapshot)) return snapshot;
  try {
    return { context: toDataModelList(applyScope(snapshot, scope).snapshot) };
  } catch (error) {
    return refuseBecause(error, 'model_not_available');
  }
}

async function scopeOf(store: Store, audit: string | null): Promise<AuditScope | RpcRefusal> {
  if (audit === null) return [];
  const found = await store.db.audits.find(audit);
  return found ? found.scope : refuse('audit_not_found', `Audit ${audit} could not be found`);
}
