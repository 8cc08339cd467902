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
  /** Display text. */
  description: string;
  /**
   * Opened once, when the order of sources names it. No external calls are allowed yet. A source that throws here, or
   * that takes longer than 10 s to respond, counts as down.
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
 * Replaces the built-in collector of one model. It adds to the cloud's data (another inventory, hosts that must not be
 * touched), or reads a different system. At most one exists for each model.
 */
export interface CollectorPlugin<Model extends keyof ModelInputs = keyof ModelInputs> {
  kind: 'collector';
  /** The model. */
  name: Model;
  /** Display text. */
  description: string;
  /**
   * The whole model as plain data. `gaps` names every part that could not be read. A collection that rejects is
   * repeated.
   */
  collect(context: CollectorContext<ModelInputs[Model]>): Promise<ModelInputs[Model]>;
}
