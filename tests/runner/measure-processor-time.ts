import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /**
     * Of a test file: processor time of the worker and of the processes that it has started and seen end, in
     * milliseconds.
     */
    processorMs?: number;
  }
}

/** Unit of the processor times in `/proc`. */
const tickMs = 10;

/** Processor time of this process and of its ended children, if `/proc` has it. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

function childrenMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // Counted from behind the name, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return tickMs * (Number(fields[13]) + Number(fields[14]));
  } catch {
    return 0;
  }
}

const spent = processorMs();

// Registered before all others, so it runs after them.
// biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern of fixtures as the first argument
afterAll(({}, file) => {
  file.meta.processorMs = processorMs() - spent;
});
