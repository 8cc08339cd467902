import { connect, type Socket } from 'node:net';

/** Times of a run of equal requests. */
export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Requests over keep-alive connections. */
export interface HttpLoad {
  /**
   * Repeats `GET path` on every connection, one request at a time on each, until `enough` returns true. Several paths
   * are requested in turn.
   */
  repeat(
    path: string | readonly string[],
    enough: (progress: { requests: number; seconds: number }) => boolean,
  ): Promise<LoadResult>;
  /** One `GET path`: the body and how long it took. */
  get(path: string): Promise<{ body: string; ms: number }>;
  close(): void;
}

const headEnd = Buffer.from('\r\n\r\n');

/**
 * A minimal client, so that the bench measures the server: it writes prepared bytes and reads the declared length.
 * Rejects for any status but 200.
 */
export async function createHttpLoad(
  url: string,
  headers: Record<string, string>,
  connections: number,
): Promise<HttpLoad> {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const bytesOf = (path: string) => Buffer.from([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(hostname, Number(port))));
  const requesters = sockets.map(createRequester);

  return {
    async repeat(path, enough) {
      const requests = [path].flat().map(bytesOf);
      let turn = 0;
      const times: number[] = [];
      const begin = performance.now();
      const work = requesters.map(async (send) => {
        for (let last = begin; !enough({ requests: times.length, seconds: (last - begin) / 1000 }); ) {
          const sent = performance.now();
          turn += 1;
          await send(requests[turn % requests.length] as Buffer);
          last = performance.now();
          times.push(last - sent);
        }
      });
      await Promise.all(work);
      return summary(times, (performance.now() - begin) / 1000);
    },
    async get(path) {
      const sent = performance.now();
      const body = await (requesters[0] as Requester)(bytesOf(path));
      const ms = performance.now() - sent;
      return { body: body.toString(), ms };
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function summary(times: number[], seconds: number): LoadResult {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { requests: times.length, perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function open(host: string, port: number): Promise<Socket> {
  const socket = connect(port, host).setNoDelay(true);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

type Requester = (request: Buffer) => Promise<Buffer>;

function createRequester(socket: Socket): Requester {
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve(body: Buffer): void; reject(error: Error): void } | null = null;
  const fail = (error: Error) => waiting?.reject(error);
  socket.on('error', fail).on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const head = received.indexOf(headEnd);
    if (head === -1) return;
    const text = received.toString('latin1', 0, head);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
    const end = head + headEnd.length + length;
    if (received.length < end) return;
    const body = received.subarray(head + headEnd.length, end);
    received = Buffer.alloc(0);
    if (text.startsWith('HTTP/1.1 200')) waiting?.resolve(body);
    else fail(new Error(`${text.split('\r\n')[0]}: ${body}`));
  });
  return (request) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      socket.write(request);
    });
}
