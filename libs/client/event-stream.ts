/** One server-sent event. */
export interface ServerEvent {
  /** Null when the event has none. */
  id: string | null;
  event: string;
  data: string;
}

/**
 * The events of a body as they come; comments are left out. A body that is silent for `idleMs` is given up.
 * @throws Error when the connection breaks or is silent for too long
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), idleMs);
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): ServerEvent | null {
  const fields = { id: null as string | null, event: 'message', data: [] as string[] };
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'id') fields.id = value;
    else if (name === 'event') fields.event = value;
    else if (name === 'data') fields.data.push(value);
  }
  return fields.data.length > 0 ? { ...fields, data: fields.data.join('\n') } : null;
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
