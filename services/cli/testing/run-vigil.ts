import { runCli } from '../main.ts';

/** Output of a command, and how it ended. */
export interface VigilRun {
  code: number;
  out: string;
  err: string;
}

/** How a command is run. */
interface RunOptions {
  env: Record<string, string>;
  /** Pause between two polls, in milliseconds. Default 20. */
  pollMs?: number;
  signal?: AbortSignal;
  /** Width of the terminal. None by default. */
  columns?: number;
}

/**
 * Runs a command as a program would, without a terminal unless `columns` is given, against the API that `env` names.
 */
export async function runVigil(args: string[], { env, pollMs = 20, signal, columns }: RunOptions): Promise<VigilRun> {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    env,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    isTerminal: columns !== undefined,
    pollMs,
    ...(signal ? { signal } : {}),
    ...(columns === undefined ? {} : { columns }),
  });
  return { code, out, err };
}
