/** Something that the user requested ended badly although every call was answered: an audit or a plan failed. */
export class OutcomeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutcomeError';
  }
}

/** A plan ended well, but its limit of migrations left out a part of it. */
export class PartialOutcomeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PartialOutcomeError';
  }
}

/** The command was told to stop by a signal. `message` says what continues without it. */
export class InterruptedError extends Error {
  readonly signal: InterruptSignal;

  constructor(signal: InterruptSignal, message = 'interrupted') {
    super(message);
    this.name = 'InterruptedError';
    this.signal = signal;
  }
}

/** Signals that end a command in order. */
export type InterruptSignal = 'SIGINT' | 'SIGTERM';

/** The command line is not usable. `message` says what to change. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
