import { type ProcessOptions, startGuardedProcess } from './guarded-process.ts';
import type { createStateDir } from './server-user.ts';
import type { TestServer } from './test-server.ts';

/** A server program that reports readiness over HTTP. */
export interface HttpServerOptions extends Pick<ProcessOptions, 'name' | 'command' | 'args' | 'env'> {
  /** Removed at the end of the server. */
  state: Awaited<ReturnType<typeof createStateDir>>;
  /** URL of the server. */
  url: string;
  /** Path below `url` that responds with a status of 2xx when the server is ready. */
  readyPath: string;
}

/**
 * Starts the program and waits until it is ready, for a minute at most.
 * @throws OperatorError with the end of its output when it ends or does not respond in time
 */
export async function startHttpServer({
  state,
  url,
  readyPath,
  env,
  ...program
}: HttpServerOptions): Promise<TestServer> {
  const guarded = await startGuardedProcess({
    ...program,
    stateDir: state.dir,
    env: { HOME: state.dir, ...env },
    startTimeoutMs: 60_000,
    async probe() {
      const response = await fetch(`${url}${readyPath}`, { signal: AbortSignal.timeout(2000) });
      if (!response.ok) throw new Error(`${readyPath} responds with ${response.status}`);
    },
  }).catch(async (error) => {
    await state.remove();
    throw error;
  });
  return {
    url,
    async stop() {
      await guarded.stop();
      await state.remove();
    },
  };
}
