import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type Logger, messageOf } from '#libs/domain';
import type { MetricsReader } from '#libs/plugin-kit';
import type { MetricsAnswer, WorkerMessage } from './worker-protocol.ts';

/** The parent's end of the line to a running strategy. */
export interface ParentPort {
  /** The error behind a failed metrics question. */
  metricsError(id: number | undefined): unknown;
  /** Hears what was said last, then hangs up. */
  close(): void;
}

/** Answers the worker's questions for metrics and passes its log lines on. */
export function listenToWorker(
  port: MessagePort,
  options: { metrics: MetricsReader; logger: Logger; onStarted: () => void },
): ParentPort {
  const metricsErrors = new Map<number, unknown>();
  let open = true;

  function answer(message: MetricsAnswer, transfer: ArrayBuffer[] = []): void {
    if (open) port.postMessage(message, transfer);
  }

  async function answerMetrics({ id, of, metric, window }: Extract<WorkerMessage, { kind: 'metrics' }>): Promise<void> {
    try {
      const column = Float64Array.from(await options.metrics[of](metric, window));
      answer({ id, column }, [column.buffer]);
    } catch (error) {
      metricsErrors.set(id, error);
      answer({ id, failure: messageOf(error) });
    }
  }

  function hear(message: WorkerMessage): void {
    if (message.kind === 'started') options.onStarted();
    else if (message.kind === 'log') options.logger[message.level](message.fields, message.message);
    else void answerMetrics(message);
  }

  port.on('message', hear);
  return {
    metricsError: (id) => (id === undefined ? undefined : metricsErrors.get(id)),
    close() {
      for (let last = receiveMessageOnPort(port); last !== undefined; last = receiveMessageOnPort(port)) {
        if (last.message.kind === 'log') hear(last.message);
      }
      open = false;
      port.close();
    },
  };
}
