/** An abort signal that fires at a time limit or with another signal, and leaves no listener behind once it is ended. */
export interface Deadline {
  /** Its reason is a `TimeoutError` when the limit was reached, otherwise the other signal's. */
  signal: AbortSignal;
  end(): void;
}

/** Starts a deadline. Unlike `AbortSignal.any` it holds nothing on a signal that outlives many calls. */
export function startDeadline(outer: AbortSignal | undefined, limitMs: number): Deadline {
  const controller = new AbortController();
  const giveUp = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('time limit', 'TimeoutError')), limitMs);
  if (outer?.aborted) giveUp();
  outer?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', giveUp);
    },
  };
}
