import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDeadline } from './start-deadline.ts';

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

/** A gate that is moved by hand, and a deadline at 1 s behind it. */
function start(isOpen: boolean) {
  const listeners = new Set<(isOpen: boolean) => void>();
  const gate = { isOpen, onChange: (listener: (isOpen: boolean) => void) => listenTo(listener) };
  const listenTo = (listener: (isOpen: boolean) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const onEnd = vi.fn();
  const stop = startDeadline({ deadlineMs: 1000, clock: { now: () => Date.now() }, gate, onEnd });
  const move = (to: boolean) => {
    for (const listener of listeners) listener(to);
  };
  return { onEnd, stop, move, listeners };
}

it('ends at the deadline while the gate is open', () => {
  const { onEnd } = start(true);
  vi.advanceTimersByTime(999);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('is delayed by the time for which the gate is closed, however often that is reported', () => {
  const { onEnd, move } = start(true);
  vi.advanceTimersByTime(600);
  move(false);
  vi.advanceTimersByTime(50_000);
  move(false);
  vi.advanceTimersByTime(550_000);
  move(true);
  move(true);
  vi.advanceTimersByTime(300);
  move(false);
  vi.advanceTimersByTime(5000);
  move(true);
  vi.advanceTimersByTime(99);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('does not run behind a gate that was closed from the start', () => {
  const { onEnd, move } = start(false);
  vi.advanceTimersByTime(10_000);
  move(true);
  vi.advanceTimersByTime(999);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('never ends once it is stopped', () => {
  const { onEnd, stop, move, listeners } = start(true);
  stop();
  move(false);
  move(true);
  vi.advanceTimersByTime(10_000);
  expect(onEnd).not.toHaveBeenCalled();
  expect(listeners.size).toBe(0);
});
