import { messageOf, OperatorError, VigilError } from '#libs/domain';

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
]);
/** SQLSTATEs of a server that starts, stops, is a standby, or has no connection left. */
const passingStates = /^(08|53|57P|25006)/;
/** Texts of connections that broke or were not had in time, for which drivers have no code. */
const brokenConnection =
  /no response within|timeout|Connection terminated|Socket closed|connection closed|Channel (?:ended|closed)|socket hang up|Unexpected close|other side closed/i;

/** Whether waiting may help against a failure, without a correction by an operator. */
export function isOutage(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOutage);
  if (!(error instanceof Error)) return false;
  if (error instanceof OperatorError) return error.cause !== undefined && isOutage(error.cause);
  if (error instanceof VigilError) return error.category === 'retryable';
  if ('code' in error && typeof error.code === 'string') {
    if (socketCodes.has(error.code) || passingStates.test(error.code)) return true;
  }
  return brokenConnection.test(messageOf(error)) || isOutage(error.cause);
}
