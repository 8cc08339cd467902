import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** A server sends numbers in separate chunks. The client prints them. */
const program = `
import { createServer, connect } from 'node:net';
const server = createServer(async (socket) => {
  for (let number = 0; number < 200; number += 1) {
    socket.write(number + ';');
    await new Promise(setImmediate);
  }
  socket.end();
});
server.listen(0, '127.0.0.1', () => {
  let text = '';
  const client = connect(server.address().port, '127.0.0.1');
  client.on('data', (chunk) => (text += chunk));
  client.on('end', () => {
    server.close();
    console.log(text);
  });
});`;

it('delays received data in its order, and its end', async () => {
  const preload = pathToFileURL('scripts/testing/delay-network.mjs').href;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    preload,
    '--input-type=module',
    '-e',
    program,
  ]);
  expect(stdout.trim()).toBe(Array.from({ length: 200 }, (_, number) => `${number};`).join(''));
});
