import type { ChannelModel } from 'amqplib';
import { type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import { BusUnavailableError } from '../errors.ts';
import { createSetupList } from '../setup-list.ts';

/**
 * Opens the channels of a user of the connection. `lost` must be called when a channel closes: the set-up is run
 * again after a second when the connection itself still lives.
 */
export type Setup = (model: ChannelModel, lost: () => void) => Promise<void>;

export interface SetUpsOptions {
  /** Runs first on every new connection, and before a set-up is run again. */
  prepare(model: ChannelModel): Promise<void>;
  /** Pause before a set-up is run again on a connection that lives, in milliseconds. */
  retryMs: number;
  logger: Logger;
  /** Of the broker, for logs. */
  address: string;
}

/** The set-ups of a connection, and the connection on which they have run. */
export interface SetUps {
  /** Null while disconnected, and until all set-ups of a new connection have run. */
  current(): ChannelModel | null;
  /**
   * Prepares a new connection and runs all set-ups. One that gets no response is tried again later.
   * @throws BusUnavailableError when the connection is lost while they run, and the broker's refusal of a set-up
   */
  runAll(model: ChannelModel): Promise<void>;
  /** As `AmqpConnection.attach`. */
  attach(setup: Setup): Promise<() => void>;
  /** To be called when the connection is lost. The set-ups stay. */
  disconnected(): void;
  /** Ends all of it. */
  forget(): void;
}

/** A broker that is there declares queues within a second, unless the machine is very busy. */
const prepareLimitMs = 120_000;

/** Keeps no set-up yet. */
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
    // amqplib listens from here on: of a loss that came with the last response it would never hear, and not connect
    // again.
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

  /** Another client deleted a queue or an exchange, or a handler took too long: the broker closed one channel. */
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
