import { vi } from 'vitest';
import { runVigil } from '../services/run-vigil.ts';

/** A run of a command with its output. */
export interface WorldRun {
  code: number;
  out: string;
  err: string;
}

/**
 * Runs `vigil world` in this process. Of the variables of OpenStack and Vigil, the command sees only `environment`. The
 * process has its own variables again afterwards.
 */
export async function runWorld(args: readonly string[], environment: Record<string, string> = {}): Promise<WorldRun> {
  const usual = process.env;
  const others = Object.entries(usual).filter(([name]) => !/^(OS|VIGIL)_/.test(name));
  process.env = { ...Object.fromEntries(others), ...environment };
  const run = { out: '', err: '' };
  const capture = (stream: NodeJS.WriteStream, key: keyof typeof run) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      run[key] += String(text);
      return true;
    });
  const spies = [capture(process.stdout, 'out'), capture(process.stderr, 'err')];
  try {
    const code = await runVigil(['world', ...args], (words) => [...words]);
    return { code, ...run };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.env = usual;
  }
}
