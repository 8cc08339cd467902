import type { ChannelModel } from 'amqplib';
import { type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import { BusUnavailableError } from '../errors.ts';
import { createSetupList } from '../setup-list.ts';

/**
 * Opens the channels of a user of the connection. `lost` must be called when a channel closes: the setup is run again
 * after a second if the connection is still open.
 */
export type Setup = (model: ChannelModel, lost: () => void) => Promise<void>;

export interface SetUpsOptions {
  /** Runs first on every new connection, and before a setup is run again. */
  prepare(model: ChannelModel): Promise<void>;
  /** Pause before a setup is run again on an open connection, in milliseconds. */
  retryMs: number;
  logger: Logger;
  /** Address of the broker, for logs. */
  address: string;
}

/** The setups of a connection, and the connection on which they have run. */
export interface SetUps {
  /** Null while disconnected, and until all setups of a new connection have run. */
  current(): ChannelModel | null;
  /**
   * Prepares a new connection and runs all setups. A setup without a response is retried later.
   * @throws BusUnavailableError when the connection is lost during the setups, and the broker's refusal of a setup
   */
  runAll(model: ChannelModel): Promise<void>;
  /** Like `AmqpConnection.attach`. */
  attach(setup: Setup): Promise<() => void>;
  /** Must be called when the connection is lost. The setups are kept. */
  disconnected(): void;
  /** Ends all setups. */
  forget(): void;
}

/** An available broker declares queues within a second, unless the machine is very busy. */
const prepareLimitMs = 120_000;

/** Creates an empty set. */
export function createSetUps({ prepare, retryMs, logger, address }: SetUpsOptions): SetUps {
  let current: ChannelModel | null = null;
  const setups = createSetupList<ChannelModel, Setup>({
    current: () => current,
    run: (model, setup) =>
      run(model, setup).catch((error) => {
        if (current !== model || !(error instanceof BusUnavailableError)) throw error;
        tryOn(model, setup, error);
      }),
  });

  function prepareInTime(model: ChannelModel): Promise<void> {
    return withTimeLimit(prepare(model), prepareLimitMs, () => {
      throw new BusUnavailableError(`RabbitMQ did not declare the queues within ${prepareLimitMs} ms`);
    });
  }

  async function runAll(model: ChannelModel): Promise<void> {
    let isLost = false;
    model.once('close', () => {
      isLost = true;
    });
    await prepareInTime(model);
    const unanswered = new Map<Setup, unknown>();
    for (const setup of setups) {
      await run(model, setup).catch((error) => {
        if (!(error instanceof BusUnavailableError)) throw error;
        unanswered.set(setup, error);
      });
    }
    // amqplib only listens from here on. It would miss a loss that arrives with the last response, and never
    // reconnect.
    if (isLost) throw new BusUnavailableError('the connection to RabbitMQ was lost while it was set up');
    current = model;
    // One unreadable queue does not block the others.
    for (const [setup, error] of unanswered) tryOn(model, setup, error);
  }

  async function run(model: ChannelModel, setup: Setup): Promise<void> {
    let ready = false;
    let lost = false;
    await setup(model, () => {
      lost = true;
      if (ready) rerunLater(model, setup);
    });
    ready = true;
    if (lost) rerunLater(model, setup);
  }

  /** Another client deleted a queue or an exchange, or a handler took too long. The broker then closes one channel. */
  function rerunLater(model: ChannelModel, setup: Setup): void {
    const timer = setTimeout(() => {
      if (current !== model || !setups.has(setup)) return;
      prepareInTime(model)
        .then(() => run(model, setup))
        .catch((error) => tryOn(model, setup, error));
    }, retryMs);
    timer.unref();
  }

  function tryOn(model: ChannelModel, setup: Setup, error: unknown): void {
    logger.info({ broker: address, error: messageOf(error) }, 'cannot open channel, retrying');
    rerunLater(model, setup);
  }

  return {
    current: () => current,
    runAll,
    attach: setups.attach,
    disconnected() {
      current = null;
    },
    forget() {
      current = null;
      setups.clear();
    },
  };
}
