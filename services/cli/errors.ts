/** Something that the user asked for ended badly although every call was answered: an audit or a plan failed. */
export class OutcomeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutcomeError';
  }
}

/** The command line is not usable; `message` says what to change. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
