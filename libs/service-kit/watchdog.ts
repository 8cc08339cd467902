import { Worker } from 'node:worker_threads';
import type { Logger } from '#libs/domain';

/** Longest pause between two checks, in milliseconds. */
const checkMs = 1000;

/** The watched process, and its limit. */
export interface WatchdogOptions {
  /**
   * How long the event loop may be blocked, in milliseconds. A few seconds at least, since garbage collection blocks it
   * too.
   */
  limitMs: number;
  /** Name of the process, for the log. */
  service: string;
  logger: Logger;
}

/**
 * The thread's code: plain JavaScript, since a thread cannot be given a function. It counts its own polls instead of
 * reading a clock, so that a process that was frozen as a whole is not taken for one that stands still. Where the main
 * thread is comes from the inspector, which can interrupt a loop. The line is written past the logger, which is in the
 * other thread.
 */
const thread = `
  const { workerData } = require('node:worker_threads');
  const { Session } = require('node:inspector');
  const { writeSync } = require('node:fs');
  const { beats, checkMs, mostLooks, service } = workerData;
  const askMs = 2000;
  let last = -1;
  let looks = 0;
  let timer;

  function end(at) {
    const seconds = Math.round((mostLooks * checkMs) / 1000);
    const msg = 'the event loop stands still for ' + seconds + ' s; the process is killed so that it can be started again';
    const line = { level: 'error', time: new Date().toISOString(), service, pid: process.pid, at, msg };
    try {
      writeSync(2, JSON.stringify(line) + '\\n');
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  }

  function askWhere() {
    const session = new Session();
    const files = new Map();
    const unknown = setTimeout(() => end([]), askMs);
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

  function look() {
    const now = Atomics.load(beats, 0);
    looks = now === last ? looks + 1 : 0;
    last = now;
    if (looks < mostLooks) return;
    clearInterval(timer);
    askWhere();
  }

  function watch() {
    looks = 0;
    timer = setInterval(look, checkMs);
  }
  watch();
`;

/**
 * Watches the event loop of this process from a separate thread. A process with a blocked event loop (an endless loop
 * in a
 * plugin, say) can neither renew its leases nor obey. It is killed, after a log line with the place, and its supervisor
 * restarts it.
 */
export function startWatchdog({ limitMs, service, logger }: WatchdogOptions): { stop(): Promise<void> } {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const everyMs = Math.min(checkMs, limitMs / 4);
  const beating = setInterval(() => Atomics.add(beats, 0, 1), everyMs);
  const worker = new Worker(thread, {
    eval: true,
    workerData: { beats, checkMs: everyMs, mostLooks: Math.ceil(limitMs / everyMs), service },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  worker.on('error', (error) => logger.warn({ error }, 'the watchdog of the event loop has ended'));
  beating.unref();
  worker.unref();
  return {
    async stop() {
      clearInterval(beating);
      await worker.terminate();
    },
  };
}
