import { connect } from 'node:net';

/** Expiry of the value in seconds, in case the deletion fails. */
const keepSeconds = 30;

/**
 * Sets, reads back and deletes its own key, over memcached's text protocol on a separate connection.
 * @param key new for each probe.
 * @throws Error with the reason if memcached is unreachable or its response is unexpected
 */
export async function probeMemcached(
  { host, port }: { host: string; port: number },
  key: string,
  signal: AbortSignal,
): Promise<void> {
  const value = key;
  const name = `vigil-probe-${key}`;
  const socket = connect({ host, port });
  const end = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', end, { once: true });
  try {
    const read = reader(socket);
    socket.write(`set ${name} 0 ${keepSeconds} ${value.length}\r\n${value}\r\n`);
    await expectText(read, 'STORED\r\n');
    socket.write(`get ${name}\r\n`);
    await expectText(read, `VALUE ${name} 0 ${value.length}\r\n${value}\r\nEND\r\n`);
    socket.write(`delete ${name}\r\n`);
    await expectText(read, 'DELETED\r\n');
  } finally {
    signal.removeEventListener('abort', end);
    socket.destroy();
  }
}

async function expectText(read: (bytes: number) => Promise<string>, wanted: string): Promise<void> {
  const response = await read(wanted.length);
  if (response !== wanted)
    throw new Error(`unexpected response of memcached: ${JSON.stringify(response.slice(0, 80))}`);
}

/** Reads texts of a given length, or the shorter text of an error response. */
function reader(socket: ReturnType<typeof connect>): (bytes: number) => Promise<string> {
  let received = '';
  let failure: Error | null = null;
  let wake: () => void = () => undefined;
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    wake();
  });
  socket.on('error', (error) => {
    failure = error;
    wake();
  });
  socket.on('close', () => {
    failure ??= new Error('memcached: connection closed');
    wake();
  });
  const isError = () => /^(ERROR|CLIENT_ERROR|SERVER_ERROR|NOT_|END).*\r\n/.test(received);
  return async (bytes) => {
    while (received.length < bytes && !isError()) {
      if (failure !== null) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const text = received.slice(0, bytes);
    received = received.slice(bytes);
    return text;
  };
}
