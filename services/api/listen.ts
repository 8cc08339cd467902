import { once } from 'node:events';
import type { Server } from 'node:http';
import { messageOf, OperatorError } from '#libs/domain';

/**
 * Starts listening.
 * @returns the server's URL.
 * @throws OperatorError when the port is in use or the address does not belong to this host.
 */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw new OperatorError(explain(error, host, port), { cause: error });
  }
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  return `http://${reachable(host)}:${taken}`;
}

/** A local address of a server that listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function explain(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use: set VIGIL_PORT to another one, or 0 for any`;
  if (code === 'EACCES') return `port ${port} needs privileges that this user does not have: set VIGIL_PORT above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine: check VIGIL_HOST`;
  return `cannot listen on ${host}:${port}: ${messageOf(error)}`;
}
