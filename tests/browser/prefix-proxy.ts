import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A reverse proxy that serves `target` below a path, as in `docs/dashboard.md`: it removes the path and sends it in
 * `X-Forwarded-*`.
 */
export async function startPrefixProxy(
  prefix: string,
  target: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const headers = {
      ...incoming.headers,
      host: 'vigil.internal',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': incoming.headers.host,
      'x-forwarded-prefix': prefix,
    };
    const path = incoming.url.slice(prefix.length);
    const forwarded = request({ hostname, port, method: incoming.method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}${prefix}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
