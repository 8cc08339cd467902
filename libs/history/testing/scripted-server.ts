import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A request to a scripted server. */
export interface ScriptedRequest {
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

/** One response: JSON, a text, or none. */
export type ScriptedResponse = { status: number; body: unknown } | 'never';

/** An HTTP server that returns scripted responses, for faults that real servers do not have on demand. */
export async function startScriptedServer(script: (request: ScriptedRequest, count: number) => ScriptedResponse) {
  const requests: ScriptedRequest[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://scripted');
    const one = { path: url.pathname, query: url.searchParams, headers: request.headers };
    requests.push(one);
    const scripted = script(one, requests.length);
    if (scripted === 'never') return;
    response.statusCode = scripted.status;
    response.end(typeof scripted.body === 'string' ? scripted.body : JSON.stringify(scripted.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    host: `127.0.0.1:${address.port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
