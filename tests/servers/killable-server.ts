/**
 * A server that a test kills, freezes, and starts again on the same port with the same data. It is as durable as in
 * production.
 */
export interface KillableServer {
  url: string;
  /** Kills it without a regular shutdown. Resolves when its main process has ended. */
  kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  /** Stops all of its processes (SIGSTOP) until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Starts it after a kill. Resolves when it responds. */
  restart(): Promise<void>;
  /** Stops it finally and removes its data. */
  stop(): Promise<void>;
}

/** Sends a signal, unless the process has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
