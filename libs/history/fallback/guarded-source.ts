import type { Clock } from '#libs/domain';
import type { HistoryReader } from '../history-port.ts';
import { createCircuit } from './circuit.ts';

/** A reader whose requests fail immediately for some time after a failure. `reason` returns the cause. */
export interface GuardedSource extends HistoryReader {
  reason(): string | null;
}

/**
 * Puts a circuit breaker around a reader. `probe` bypasses it, because its caller needs the current state. The gate
 * probes every few seconds, so queries resume soon after an outage of any length.
 */
export function createGuardedSource(reader: HistoryReader, clock: Clock): GuardedSource {
  const circuit = createCircuit({ source: reader.name, clock });
  const { realNames, aggregateFrom } = reader;
  return {
    name: reader.name,
    reason: circuit.reason,
    aggregate: (query) => circuit.run(() => reader.aggregate(query)),
    ...(aggregateFrom === undefined
      ? {}
      : { aggregateFrom: (query) => circuit.run(() => aggregateFrom.call(reader, query)) }),
    series: (query) => circuit.run(() => reader.series(query)),
    listMetrics: () => circuit.run(() => reader.listMetrics()),
    ...(realNames === undefined ? {} : { realNames: () => realNames.call(reader) }),
    async probe() {
      await reader.probe();
      circuit.endPause();
    },
    close: () => reader.close(),
  };
}
