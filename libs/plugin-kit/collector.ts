import type { BaremetalModelInput, ComputeModelInput, StorageModelInput } from '#libs/cluster-model';
import type { Clock, Logger } from '#libs/domain';

/** What is read of the cloud for each model, as plain data. */
export interface ModelInputs {
  compute: ComputeModelInput;
  storage: StorageModelInput;
  baremetal: BaremetalModelInput;
}

/** What a collector gets for each collection. */
export interface CollectorContext<Input> {
  /** Reads the cloud as the built-in collector does. Rejects as that does. */
  readCloud(): Promise<Input>;
  clock: Clock;
  logger: Logger;
  /** The environment of the process, for the collector's own settings. */
  env: Readonly<Record<string, string | undefined>>;
  /** Fires when the process stops, or when the collection has taken too long. */
  signal: AbortSignal;
}

/**
 * Takes the place of the built-in collector of one model: it adds to what the cloud says (another inventory, hosts that
 * must not be touched), or reads something else altogether. There is one for each model at most.
 */
export interface CollectorPlugin<Model extends keyof ModelInputs = keyof ModelInputs> {
  kind: 'collector';
  /** The model. */
  name: Model;
  /** For people. */
  description: string;
  /** What there is, as plain data; whatever could not be read is named in `gaps`. A collection that rejects is repeated. */
  collect(context: CollectorContext<ModelInputs[Model]>): Promise<ModelInputs[Model]>;
}
