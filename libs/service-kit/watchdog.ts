import { Worker } from 'node:worker_threads';
import type { Logger } from '#libs/domain';

/** Maximum pause between two checks, in milliseconds. */
const checkMs = 1000;

/** The watched process, and its limit. */
export interface WatchdogOptions {
  /**
   * Maximum time for a blocked event loop, in milliseconds. At least a few seconds, since garbage collection blocks it
   * too.
   */
  limitMs: number;
  /** Name of the process, for the log. */
  service: string;
  logger: Logger;
}

/**
 * The code of the thread: plain JavaScript, because a thread cannot receive a function. It counts polls instead of
 * reading a clock, so that a frozen process does not count as blocked. The inspector can interrupt a loop and finds
 * the position of the main thread. The log line bypasses the logger, which runs in the main thread.
 */
const thread = `
  const { workerData } = require('node:worker_threads');
  const { Session } = require('node:inspector');
  const { writeSync } = require('node:fs');
  const { beats, checkMs, mostChecks, service } = workerData;
  const inspectMs = 2000;
  let last = -1;
  let checks = 0;
  let timer;

  function end(at) {
    const seconds = Math.round((mostChecks * checkMs) / 1000);
    const msg = 'event loop blocked for ' + seconds + ' s, killing the process for a restart';
    const line = { level: 'error', time: new Date().toISOString(), service, pid: process.pid, at, msg };
    try {
      writeSync(2, JSON.stringify(line) + '\\n');
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  }

  function findPlace() {
    const session = new Session();
    const files = new Map();
    const unknown = setTimeout(() => end([]), inspectMs);
    session.connectToMainThread();
    session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url));
    session.on('Debugger.paused', ({ params }) => {
      clearTimeout(unknown);
      if (Atomics.load(beats, 0) === last) {
        end(params.callFrames.slice(0, 10).map(({ functionName, location }) =>
          (functionName || '(anonymous)') + ' ' + files.get(location.scriptId) + ':' + (location.lineNumber + 1)));
      }
      session.disconnect();
      watch();
    });
    session.post('Debugger.enable', () => session.post('Debugger.pause'));
  }

  function check() {
    const now = Atomics.load(beats, 0);
    checks = now === last ? checks + 1 : 0;
    last = now;
    if (checks < mostChecks) return;
    clearInterval(timer);
    findPlace();
  }

  function watch() {
    checks = 0;
    timer = setInterval(check, checkMs);
  }
  watch();
`;

/**
 * Watches the event loop of this process from a separate thread. A process with a blocked event loop, such as an
 * endless loop in a plugin, can neither renew its leases nor handle signals. The thread logs the position and kills
 * the process, and the supervisor restarts it.
 */
export function startWatchdog({ limitMs, service, logger }: WatchdogOptions): { stop(): Promise<void> } {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const everyMs = Math.min(checkMs, limitMs / 4);
  const beating = setInterval(() => Atomics.add(beats, 0, 1), everyMs);
  const worker = new Worker(thread, {
    eval: true,
    workerData: { beats, checkMs: everyMs, mostChecks: Math.ceil(limitMs / everyMs), service },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  worker.on('error', (error) => logger.warn({ error }, 'event loop watchdog ended'));
  beating.unref();
  worker.unref();
  return {
    async stop() {
      clearInterval(beating);
      await worker.terminate();
    },
  };
}
