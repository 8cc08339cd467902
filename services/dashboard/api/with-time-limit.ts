import { VigilApiError } from '#libs/client';
import { text } from '../texts/texts.ts';

/**
 * Sends a request and reads its response within `limitMs`: the signal aborts both.
 * @throws VigilApiError of kind `timeout` or `unreachable` with a text for users. Otherwise the error of `request`.
 */
export async function withTimeLimit<Result>(
  limitMs: number,
  request: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await request(limit);
  } catch (error) {
    if (limit.aborted && error instanceof DOMException)
      throw new VigilApiError('timeout', 0, text('shell.noResponse', { seconds: limitMs / 1000 }), {
        cause: error,
      });
    // fetch reports a failed connection so.
    if (error instanceof TypeError)
      throw new VigilApiError('unreachable', 0, text('shell.unreachable'), { cause: error });
    throw error;
  }
}
