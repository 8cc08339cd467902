import { createParser } from 'eventsource-parser';

/** One server-sent event. */
export interface ServerEvent {
  /** Null when the event has none. */
  id: string | null;
  event: string;
  data: string;
}

/**
 * The events of a body as they arrive, without comments. A body that is silent for `idleMs` is closed.
 * @throws Error when the connection breaks or is silent for too long
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ id = null, event = 'message', data }) => events.push({ id, event, data }),
  });
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), idleMs);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no sign of life for ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
