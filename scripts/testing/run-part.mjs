import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Unit of the processor times in `/proc`. */
const tickMs = 10;

/** Processor time of the children of this process that have ended, with their own children. 0 without `/proc`. */
function endedChildrenMs() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // Fields are counted after the name, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return tickMs * (Number(fields[13]) + Number(fields[14]));
  } catch {
    return 0;
  }
}

let counted = 0;

/**
 * Runs Node.js with `args` as one part of a test run.
 * `isCaptured`: the output is returned, instead of inherited. `niceness`: priority, 0 to 19. `signal`: interrupts the
 * part.
 * `env`: further variables.
 * @returns the exit code, elapsed and processor time in milliseconds, and the captured output.
 */
export function runPart(name, args, { isCaptured = false, niceness = 0, signal, env = {} } = {}) {
  const began = performance.now();
  const stdio = isCaptured ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(process.execPath, args, { stdio, env: { ...process.env, ...env } });
  if (niceness > 0 && child.pid) setPriority(child.pid, niceness);
  signal?.addEventListener('abort', () => child.kill('SIGINT'));
  // An interrupted run must not leave tests behind.
  const end = () => child.kill('SIGINT');
  process.once('SIGTERM', end);
  let output = '';
  for (const stream of isCaptured ? [child.stdout, child.stderr] : []) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  let processorMs = 0;
  child.once('exit', () => {
    const ended = endedChildrenMs();
    processorMs = ended - counted;
    counted = ended;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGTERM', end);
      resolve({ name, code: code ?? 1, ms: performance.now() - began, processorMs, output });
    });
  });
}
