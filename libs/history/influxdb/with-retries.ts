import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '#libs/domain';

/** Retries after the first try. */
const retries = 2;
const firstDelayMs = 200;

/** Tries again after 200 and 400 ms when the server was unreachable, too slow or answered 429 or 5xx. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= retries || !isWorthAnotherTry(error)) throw error;
      await sleep(firstDelayMs * 2 ** attempt);
    }
  }
}

function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof OperatorError) return false;
  const status = statusOf(error);
  return status === undefined ? isTransportFailure(error) : status >= 500 || status === 429;
}

/** HTTP status of an error of either transport; undefined when the server did not answer. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('statusCode' in error && typeof error.statusCode === 'number') return error.statusCode;
  return 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}

/** Connection refused or reset, name not found, time limit: `code` of the system, or fetch's own two errors. */
function isTransportFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (['TimeoutError', 'RequestTimedOutError'].includes(error.name)) return true;
  return (
    (error instanceof TypeError && error.cause !== undefined) ||
    ('code' in error && /^E[A-Z]+$/.test(String(error.code)))
  );
}
