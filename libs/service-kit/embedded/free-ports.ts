import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/** Lowest drawn port. Browsers and `fetch` refuse some of the lower ones. */
const lowestPort = 12_000;
/** With fewer ports, the same port would often be drawn twice. */
const fewestPorts = 1000;
const rangeFile = '/proc/sys/net/ipv4/ip_local_port_range';

/** The lowest ephemeral port of the system. Null when unknown. */
export function lowestGivenPort(): number | null {
  return existsSync(rangeFile) ? Number.parseInt(readFileSync(rangeFile, 'utf8'), 10) : null;
}

/** A server on a random port outside the ephemeral range. Uses any free port when that range is too small. */
async function hold(): Promise<Server> {
  const end = lowestGivenPort() ?? 0;
  for (;;) {
    const server = createServer().listen(end - lowestPort < fewestPorts ? 0 : randomInt(lowestPort, end), '127.0.0.1');
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/**
 * Returns free TCP ports of 127.0.0.1. They differ, because all are held until the last is known. They stay free for a
 * caller that takes seconds to start: the system assigns none of them.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, hold));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
    return address.port;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Returns one free port. */
export async function findFreePort(): Promise<number> {
  const [port] = await findFreePorts(1);
  return port as number;
}

/**
 * Returns `preferred` when no program listens on it, otherwise a free port.
 * @param host address on which the port is to be free
 */
export async function freePortNear(preferred: number, host: string): Promise<number> {
  const server = createServer().listen(preferred, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return findFreePort();
  }
  await new Promise((resolve) => server.close(resolve));
  return preferred;
}
