import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '#tests';

/** A request that a receiver got. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Responds to one request, or never. */
export type Behaviour = (response: ServerResponse) => void;

/** Responds with a status and headers. */
export const respond =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Never responds. */
export const hang: Behaviour = () => undefined;

/** A receiver on loopback that records. It behaves as the next of `behaviours`, then accepts. */
export async function startReceiver(behaviours: Behaviour[] = []) {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      (behaviours.shift() ?? respond(204))(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { requests, port, url: (path = '/hook', host = 'receiver.test') => `http://${host}:${port}${path}` };
}
