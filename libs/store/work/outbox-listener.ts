import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Logger, messageOf } from '#libs/domain';
import { connectDirect } from '../connection/direct-client.ts';

const reconnectMs = 1_000;

/**
 * Listens on `channel` with a separate connection and calls `wake` for each notification, and after each reconnect
 * because notifications may be lost. Returns when it listens or the first attempt failed. It reconnects in the
 * background. @returns the function that ends it
 */
export async function listen(
  settings: { url: string; logger: Logger; applicationName: string },
  channel: string,
  wake: () => void,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();

  async function open(): Promise<{ client: pg.Client; ended: Promise<void> }> {
    const client = await connectDirect(settings.url, settings.applicationName, settings.logger, { waits: true });
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('notification', wake);
    await client.query(`LISTEN ${channel}`);
    return { client, ended };
  }

  async function tryOpen() {
    try {
      return await open();
    } catch (error) {
      settings.logger.info({ channel, reason: messageOf(error) }, 'cannot listen for notifications, retrying');
      return null;
    }
  }

  let current = await tryOpen();

  async function keepOpen(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (current) await current.ended;
      if (stopping.signal.aborted) return;
      await sleep(reconnectMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      current = await tryOpen();
      if (current) wake();
    }
  }

  const running = keepOpen();
  return async () => {
    stopping.abort();
    await current?.client.end().catch(() => {});
    await running;
    await current?.client.end().catch(() => {});
  };
}
