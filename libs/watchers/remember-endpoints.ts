import { type Logger, messageOf } from '#libs/domain';
import type { GateReport } from './dependency.ts';
import type { WatchedGate } from './gate.ts';
import { writeKnownEndpoints } from './known-endpoints.ts';

/** Keeps the addresses of the brokers that work in a file, written only when they change. */
export function rememberEndpoints(gate: Pick<WatchedGate, 'onReport'>, path: string, logger: Logger): void {
  let written = '';
  let writing = Promise.resolve();

  gate.onReport((report) => {
    const rabbitmq = workingBrokers(report);
    const text = rabbitmq.join();
    if (rabbitmq.length === 0 || text === written) return;
    written = text;
    writing = writing
      .then(() => writeKnownEndpoints(path, { rabbitmq }))
      .catch((error: unknown) => logger.warn({ path, error: messageOf(error) }, 'known endpoints could not be kept'));
  });
}

function workingBrokers(report: GateReport): string[] {
  const broker = report.dependencies.find(({ name }) => name === 'rabbitmq');
  return (broker?.nodes ?? []).filter(({ up }) => up).map(({ node }) => new URL(node).host);
}
