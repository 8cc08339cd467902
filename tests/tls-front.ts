import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { TestCertificates } from './certificates.ts';

/** TLS in front of a server without it. It requires client certificates. */
export interface TlsFront {
  port: number;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 and forwards connections to `target`. */
export async function createTlsFront(
  target: { host: string; port: number },
  certificates: TestCertificates,
): Promise<TlsFront> {
  const sockets = new Set<TLSSocket>();
  const server = createServer(certificates.options(), (socket) => {
    const behind = connect(target);
    sockets.add(socket);
    socket.on('error', () => behind.destroy()).on('close', () => sockets.delete(socket));
    behind.on('error', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
