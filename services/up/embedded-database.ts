import { type Logger, messageOf } from '#libs/domain';
import { keepTrying, type Teardown } from '#libs/service-kit';
import { startEmbeddedPostgres } from '#libs/service-kit/embedded';

const pauses = { firstMs: 1000, longestMs: 30_000 };

/**
 * Starts the embedded PostgreSQL and supervises it. When it ends (for example on a full disk), it restarts on the same
 * port with a back-off from 1 s to 30 s. The processes wait for it.
 * @returns its URL, and the folder that holds its files
 * @throws OperatorError when the first start fails.
 */
export async function startDatabase(
  { logger, teardown }: { logger: Logger; teardown: Teardown },
  dataDir: string,
): Promise<{ url: string; home: string }> {
  let current = await startEmbeddedPostgres({ dataDir, logger });
  const { url, port, home } = current;
  const stopping = new AbortController();

  async function keep(): Promise<void> {
    for (;;) {
      await current.exited;
      if (stopping.signal.aborted) return;
      logger.warn({}, 'embedded PostgreSQL ended, restarting');
      await startAgain();
    }
  }

  async function startAgain(): Promise<void> {
    const start = async () => {
      current = await startEmbeddedPostgres({ dataDir, port, logger });
      logger.info({}, 'embedded PostgreSQL restarted');
    };
    await pause(pauses.firstMs, stopping.signal);
    await keepTrying(start, {
      pauses,
      signal: stopping.signal,
      onFailure: (error) =>
        logger.error({ reason: messageOf(error) }, 'cannot start the embedded PostgreSQL, retrying'),
    });
  }

  const keeping = keep();
  teardown.add('embedded PostgreSQL', async () => {
    stopping.abort();
    await current.stop();
    await keeping;
    await current.stop();
  });
  return { url, home };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
