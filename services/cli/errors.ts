/** The requested operation failed although every call succeeded, such as a failed audit or plan. */
export class OutcomeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutcomeError';
  }
}

/** A plan succeeded, but its limit of migrations left out a part of it. */
export class PartialOutcomeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PartialOutcomeError';
  }
}

/** A what-if question has another verdict than `fits`. */
export class VerdictError extends Error {
  readonly verdict: 'does_not_fit' | 'unknown';

  constructor(verdict: 'does_not_fit' | 'unknown', message: string) {
    super(message);
    this.name = 'VerdictError';
    this.verdict = verdict;
  }
}

/** A signal stopped the command. `message` states the work that continues without it. */
export class InterruptedError extends Error {
  readonly signal: InterruptSignal;

  constructor(signal: InterruptSignal, message = 'interrupted') {
    super(message);
    this.name = 'InterruptedError';
    this.signal = signal;
  }
}

/** Signals that end a command gracefully. */
export type InterruptSignal = 'SIGINT' | 'SIGTERM';

/** The command line is invalid. `message` has the remedy. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
