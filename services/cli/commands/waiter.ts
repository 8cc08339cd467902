import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Patience, untilAnswered } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { InterruptedError } from '../errors.ts';
import type { OutputOptions } from '../output/output-options.ts';

/** Options of commands that wait. */
export interface WaitCommandOptions extends OutputOptions {
  wait?: boolean;
  /** Milliseconds. */
  maxOutage: number;
}

/** Options of one of the client's waits. */
type WaitSettings = Patience & { pollMs: number };

/** Waits for one command. */
export interface Waiter {
  context: CliContext;
  /** For the client's own waits and streams. */
  settings: WaitSettings;
  /**
   * Runs a wait.
   * @param goesOn message after an interruption: the work that continues without the command, and the command that
   * shows it.
   * @throws InterruptedError
   */
  wait<Seen>(work: (settings: WaitSettings) => Promise<Seen>, goesOn: string): Promise<Seen>;
  /** Sends a repeatable request: with `--wait` until a response arrives, otherwise once. */
  send<Result>(request: () => Promise<Result>): Promise<Result>;
  /** Like `send`, for a POST that takes effect once for any number of attempts. `headers` belong to each attempt. */
  once<Result>(request: (headers: Record<string, string>) => Promise<Result>): Promise<Result>;
}

const defaultOutageSeconds = '600';

/** Adds `--wait` with its description, and `--max-outage`. */
export function withWait(command: Command, description: string): Command {
  return withMaxOutage(command.option('--wait', description));
}

/** Adds `--max-outage`, for commands that always wait. */
export function withMaxOutage(command: Command): Command {
  return command.addOption(
    new Option('--max-outage <seconds>', 'while waiting: how long the API may be unavailable or return 503 or 429')
      .argParser(readSeconds)
      .default(readSeconds(defaultOutageSeconds), defaultOutageSeconds),
  );
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds >= 0 && seconds <= 31_536_000))
    throw new InvalidArgumentError('It must be a number of seconds, 0 or more.');
  return seconds * 1000;
}

/** The waiter of a command with these options. It reports outages on standard error, each reason once. */
export function createWaiter(context: CliContext, { wait = false, maxOutage }: WaitCommandOptions): Waiter {
  const { pollMs, signal, err } = context;
  let lastMessage = '';
  const settings: WaitSettings = {
    pollMs,
    signal,
    maxDownMs: maxOutage,
    onDown({ message }) {
      if (message !== lastMessage) err(`waiting: ${message}\n`);
      lastMessage = message;
    },
  };
  const send: Waiter['send'] = (request) => (wait ? untilAnswered(request, settings) : request());
  return {
    context,
    settings,
    async wait(work, goesOn) {
      try {
        return await work(settings);
      } catch (error) {
        if (!(error instanceof InterruptedError)) throw error;
        throw new InterruptedError(error.signal, `${error.message}; ${goesOn}`);
      }
    },
    send,
    once(request) {
      const headers: Record<string, string> = wait ? { 'Idempotency-Key': randomUUID() } : {};
      return send(() => request(headers));
    },
  };
}
