/**
 * A server that a test kills and freezes, and starts again on the same port with the same data. It is as durable as in
 * production.
 */
export interface KillableServer {
  url: string;
  /** Ends it at once, without a good-bye. Resolves when its main process is gone. */
  kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  /** Stops all of its processes in their tracks (SIGSTOP) until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Starts it after a kill. Resolves when it answers. */
  restart(): Promise<void>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
}

/** Sends a signal. A process that has ended meanwhile needs none. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
