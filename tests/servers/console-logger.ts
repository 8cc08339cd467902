import type { Logger } from '#libs/domain';

/** Prints warnings and errors on standard error as one line each. Everything below is dropped. */
export function createConsoleLogger(bindings: object = {}): Logger {
  function print(level: string, fields: object, message: string): void {
    process.stderr.write(`${level}: ${message} ${JSON.stringify({ ...bindings, ...fields })}\n`);
  }
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (fields, message) => print('warning', fields, message),
    error: (fields, message) => print('error', fields, message),
    child: (fields) => createConsoleLogger({ ...bindings, ...fields }),
  };
}
