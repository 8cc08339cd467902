import { type Logger, messageOf } from '#libs/domain';
import type { Gate } from './gate.ts';

/** Something that runs until it is stopped. */
interface Running {
  stop(): Promise<void>;
}

/** Pause before a start that failed is tried again, in milliseconds. */
const againMs = 1000;

/**
 * Runs a part, such as a consumer, only while the gate is open: stops it when the gate closes and starts it again when
 * it opens. Failures are retried while the gate is open.
 * @throws the error of the first start
 */
export async function whileOpen(
  gate: Pick<Gate, 'isOpen' | 'onChange'>,
  logger: Logger,
  start: () => Promise<Running>,
): Promise<Running> {
  let running: Running | null = gate.isOpen ? await start() : null;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let settling: Promise<void> = Promise.resolve();

  async function settle(): Promise<void> {
    const isWanted = gate.isOpen && !ended;
    if (isWanted === (running !== null)) return;
    try {
      if (isWanted) {
        running = await start();
      } else {
        const former = running;
        running = null;
        await former?.stop();
      }
    } catch (error) {
      logger.info({ error: messageOf(error) }, 'cannot start or stop work, retrying');
      timer = setTimeout(queue, againMs);
    }
  }

  function queue(): void {
    settling = settling.then(settle);
  }

  const off = gate.onChange(queue);
  return {
    async stop() {
      ended = true;
      off();
      clearTimeout(timer);
      queue();
      await settling;
    },
  };
}
