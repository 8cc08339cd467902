import { connect } from 'node:net';

/** Keeps a value for this long at most, should the deletion be lost. Seconds. */
const keepSeconds = 30;

/**
 * Sets, reads back and deletes its own key, over memcached's text protocol on its own connection.
 * @param key fresh for every probe.
 * @throws Error with the reason when memcached is unreachable or responds differently
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
  const answer = await read(wanted.length);
  if (answer !== wanted) throw new Error(`memcached answered ${JSON.stringify(answer.slice(0, 80))}`);
}

/** Returns texts of a given length, or shorter ones that end as an error of memcached does. */
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
