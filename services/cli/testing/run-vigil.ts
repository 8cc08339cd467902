import { runCli } from '../main.ts';

/** What a command said and how it ended. */
export interface VigilRun {
  code: number;
  out: string;
  err: string;
}

/** Runs a command as a program would: without a terminal, against the API that `env` names. */
export async function runVigil(
  args: string[],
  { env, pollMs = 20, signal }: { env: Record<string, string>; pollMs?: number; signal?: AbortSignal },
): Promise<VigilRun> {
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
    isTerminal: false,
    pollMs,
    ...(signal ? { signal } : {}),
  });
  return { code, out, err };
}
