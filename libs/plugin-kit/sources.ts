import type { BaremetalModelInput, ComputeModelInput, StorageModelInput } from '#libs/cluster-model';
import type { Clock, Logger } from '#libs/domain';
import type { HistoryReader } from '#libs/history';

/** Argument of a data source when it is opened. */
export interface DataSourceContext {
  clock: Clock;
  logger: Logger;
  /** The environment of the process, for the source's own settings. */
  env: Readonly<Record<string, string | undefined>>;
}

/** A source of metrics, such as a monitoring system that Vigil does not know. */
export interface DataSourcePlugin {
  kind: 'data_source';
  /** Its name in `VIGIL_DATASOURCES`. None of the built-in sources may have it. */
  name: string;
  /** For people. */
  description: string;
  /**
   * Opened once, when the order of sources names it. Nothing may be asked of the outside yet. A source that throws
   * here, or whose responses take longer than 30 s, counts as one that is down.
   */
  open(context: DataSourceContext): HistoryReader;
}

/** Data that are read of the cloud for each model. */
export interface ModelInputs {
  compute: ComputeModelInput;
  storage: StorageModelInput;
  baremetal: BaremetalModelInput;
}

/** Argument of a collector for each collection. */
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
  /**
   * Everything that there is, as plain data. Whatever could not be read is named in `gaps`. A collection that rejects
   * is repeated.
   */
  collect(context: CollectorContext<ModelInputs[Model]>): Promise<ModelInputs[Model]>;
}
