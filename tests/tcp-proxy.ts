import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy on 127.0.0.1 that injects faults on request. */
export interface TcpProxy {
  port: number;
  /** Resets every connection. New ones are accepted immediately. */
  cut(): void;
  /** Resets every connection and refuses new ones until `accept`. */
  refuse(): Promise<void>;
  /** Listens again on the same port. */
  accept(): Promise<void>;
  /** Keeps connections open but forwards nothing in either direction until `resume`. */
  freeze(): void;
  resume(): void;
  /** Delays all traffic by this number of milliseconds from now on. 0 removes the delay. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
}

/** @param target of the connections */
export async function createTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  let delayMs = 0;

  /** A stream that delays its data and keeps their order. */
  function slowly(): Transform {
    return new Transform({
      transform(chunk, _encoding, done) {
        if (delayMs === 0) done(null, chunk);
        else setTimeout(() => done(null, chunk), delayMs);
      },
    });
  }

  function track(socket: Socket, peer: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      peer.destroy();
    });
    if (frozen) socket.pause();
  }

  function accepted(client: Socket): void {
    const upstream = connect(target.port, target.host);
    client.pipe(slowly()).pipe(upstream);
    upstream.pipe(slowly()).pipe(client);
    track(client, upstream);
    track(upstream, client);
  }

  async function listen(port: number): Promise<Server> {
    const server = createServer(accepted).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  let server: Server | null = await listen(0);
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;

  let last: Promise<void> = Promise.resolve();

  /** Serializes overlapping calls: nothing listens twice, and the last call decides. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  }

  async function stopListening(): Promise<void> {
    const listening = server;
    server = null;
    cut();
    if (listening !== null) await new Promise((resolve) => listening.close(resolve));
  }

  const refuse = () => inTurn(stopListening);

  return {
    port,
    cut,
    refuse,
    accept: () =>
      inTurn(async () => {
        server ??= await listen(port);
      }),
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    close: refuse,
  };
}
