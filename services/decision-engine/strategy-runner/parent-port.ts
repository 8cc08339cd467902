import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type Logger, messageOf } from '#libs/domain';
import type { MetricsReader } from '#libs/plugin-kit';
import type { MetricsResponse, RunPart, RunProgress, WorkerMessage } from './worker-protocol.ts';

/** The parent's port to a running strategy. */
export interface ParentPort {
  /** The cause of a failed metrics request. */
  metricsError(id: number | undefined): unknown;
  /** Receives the last messages, then closes the port. */
  close(): void;
}

/** Handles requests and reports of a run. */
export interface WorkerListener {
  /** Default: no metrics are available. */
  metrics?: MetricsReader;
  logger: Logger;
  onStart(part: RunPart): void;
  onProgress?(progress: RunProgress): void;
}

/** Serves the worker's requests for metrics and forwards its log lines. */
export function listenToWorker(port: MessagePort, listener: WorkerListener): ParentPort {
  const metricsErrors = new Map<number, unknown>();
  let open = true;

  function response(message: MetricsResponse, transfer: ArrayBuffer[] = []): void {
    if (open) port.postMessage(message, transfer);
  }

  async function sendMetrics({ id, of, metric, window }: Extract<WorkerMessage, { kind: 'metrics' }>): Promise<void> {
    try {
      if (!listener.metrics) throw new Error('there are no metrics here');
      const column = Float64Array.from(await listener.metrics[of](metric, window));
      response({ id, column }, [column.buffer]);
    } catch (error) {
      metricsErrors.set(id, error);
      response({ id, failure: messageOf(error) });
    }
  }

  function hear(message: WorkerMessage): void {
    if (message.kind === 'begins') listener.onStart(message.part);
    else if (message.kind === 'progress') listener.onProgress?.(message.progress);
    else if (message.kind === 'log') listener.logger[message.level](message.fields, message.message);
    else void sendMetrics(message);
  }

  port.on('message', hear);
  return {
    metricsError: (id) => (id === undefined ? undefined : metricsErrors.get(id)),
    close() {
      for (let last = receiveMessageOnPort(port); last !== undefined; last = receiveMessageOnPort(port)) {
        if (last.message.kind !== 'metrics') hear(last.message);
      }
      open = false;
      port.close();
    },
  };
}
