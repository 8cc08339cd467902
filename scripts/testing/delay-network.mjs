// Delays received data at random, so that tests that depend on the speed of a connection fail. `npm test --
// --slow-network` preloads this file in all processes of Node.js. Most chunks arrive without a delay, a quarter up to
// 30 ms later, and a few up to 400 ms later. Waiting costs no processor time, unlike load by other programs.
import { Socket } from 'node:net';

// Tests replace the global timers.
const { setTimeout } = globalThis;
const { push } = Socket.prototype;

/** Chances of a chunk to be delayed, and the range of the delay in milliseconds. */
const delays = [
  { chance: 0.04, ms: [100, 400] },
  { chance: 0.26, ms: [0, 30] },
];

function randomDelayMs() {
  let dice = Math.random();
  for (const { chance, ms } of delays) {
    if (dice < chance) return ms[0] + Math.random() * (ms[1] - ms[0]);
    dice -= chance;
  }
  return 0;
}

Socket.prototype.push = function delayedPush(chunk, encoding) {
  const delayMs = chunk === null || this.remotePort === undefined ? 0 : randomDelayMs();
  if (delayMs === 0) return push.call(this, chunk, encoding);
  setTimeout(() => {
    if (!this.destroyed) push.call(this, chunk, encoding);
  }, delayMs);
  // The socket reads no further data before the delayed push, which keeps order and back-pressure.
  return false;
};
