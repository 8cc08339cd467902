/** Shifts the time of `Date` in this thread. Durations by the monotonic clock stay correct. */
export function shiftClock(offsetMs: number): void {
  const RealDate = Date;
  const realNow = Date.now;
  const now = () => realNow() + offsetMs;
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: (target) => new target(now()).toString(),
  });
}
