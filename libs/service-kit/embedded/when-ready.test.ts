import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { OperatorError } from '#libs/domain';
import { type StartingServer, whenReady } from './when-ready.ts';

const logger = { debug() {}, info: vi.fn(), warn() {}, error() {}, child: () => logger };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A message of PostgreSQL's protocol: its type, its length, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const refusal = message('E', Buffer.from('SFATAL\0C57P03\0Mthe database system is starting up\0\0'));
const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);

/** Returns each scripted connection, with the number of earlier ones. */
async function serve(response: (socket: Socket, before: number) => void): Promise<string> {
  let connections = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const before = connections++;
    socket.once('data', () => response(socket, before));
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `postgres://vigil:secret@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`;
}

const starting = (url: string, changes: Partial<StartingServer> = {}): StartingServer => ({
  ...{ url, ended: () => null, limitMs: 0, logger },
  ...changes,
});

test('a server that brings its data in order is waited for, however long that takes', async () => {
  const url = await serve((socket, before) => (before < 20 ? socket.end(refusal) : socket.write(welcome)));
  const work = vi.fn(async () => undefined);

  await whenReady(starting(url), work);

  expect(work).toHaveBeenCalledOnce();
  expect(logger.info).toHaveBeenCalledOnce();
});

test('work that fails with the first connections is repeated', async () => {
  const url = await serve((socket) => socket.write(welcome));
  const work = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('timeout expired'));

  await whenReady(starting(url, { limitMs: 60_000 }), work);

  expect(work).toHaveBeenCalledTimes(2);
});

test('a server that does not respond, and one that has ended, are reported', async () => {
  const url = await serve((socket) => socket.destroy());
  const work = async () => undefined;

  await expect(whenReady(starting(url), work)).rejects.toThrow(OperatorError);
  await expect(whenReady(starting(url), work)).rejects.toThrow('is not ready after 0 s');
  await expect(whenReady(starting(url, { ended: () => 'no space left' }), work)).rejects.toThrow(
    'ended at its start: no space left',
  );
});
