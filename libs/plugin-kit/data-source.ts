import type { Clock, Logger } from '#libs/domain';
import type { HistoryReader } from '#libs/history';

/** What a data source gets when it is opened. */
export interface DataSourceContext {
  clock: Clock;
  logger: Logger;
  /** The environment of the process, for the source's own settings. */
  env: Readonly<Record<string, string | undefined>>;
}

/** A source of metrics, such as a monitoring system that Vigil does not know. */
export interface DataSourcePlugin {
  kind: 'data_source';
  /** Its name in `VIGIL_DATASOURCES`; none of the built-in sources may have it. */
  name: string;
  /** For people. */
  description: string;
  /**
   * Opened once, when the order of sources names it; nothing may be asked of the outside yet. A source that throws here, or
   * whose answers take longer than 30 s, counts as one that is down.
   */
  open(context: DataSourceContext): HistoryReader;
}
