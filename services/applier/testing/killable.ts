import type { Cloud } from '#libs/openstack';
import type { Store, UnitOfWork } from '#libs/store';

/** A store and a cloud as a process sees them that can be killed at any instant. */
export interface Killable {
  store: Store;
  cloud: Cloud;
  readonly isKilled: boolean;
  /** From now on no call starts, no response arrives and no open transaction commits. */
  kill(): void;
}

/** A promise that never settles, as the waits of a dead process. */
export function never<Result>(): Promise<Result> {
  return new Promise(() => undefined);
}

export function createKillable(store: Store, cloud: Cloud): Killable {
  let isKilled = false;
  let breakTransactions: (error: Error) => void = () => undefined;
  const death = new Promise<never>((_resolve, reject) => {
    breakTransactions = reject;
  });
  death.catch(() => undefined);

  async function guarded<Result>(call: () => Promise<Result>): Promise<Result> {
    if (isKilled) return never();
    try {
      const response = await call();
      return isKilled ? await never<Result>() : response;
    } catch (error) {
      if (isKilled) return never();
      throw error;
    }
  }

  /** The same object whose methods, also those of its parts, are guarded. */
  function wrap<Part extends object>(part: Part): Part {
    return new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'function') return (...args: unknown[]) => guarded(async () => value.apply(target, args));
        return typeof value === 'object' && value !== null ? wrap(value) : value;
      },
    });
  }

  return {
    store: {
      ...store,
      db: wrap(store.db),
      transaction: <T>(work: (unit: UnitOfWork) => Promise<T>) =>
        guarded(() => store.transaction((unit) => Promise.race([work(unit), death]))),
    },
    cloud: { ...cloud, compute: wrap(cloud.compute) },
    get isKilled() {
      return isKilled;
    },
    kill() {
      isKilled = true;
      breakTransactions(new Error('killed'));
    },
  };
}
