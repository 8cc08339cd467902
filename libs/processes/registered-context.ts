import type { ServiceContext } from '#libs/service-kit';
import type { commonEnv, EnvSchema } from '#libs/service-kit/env';
import type { ServiceTypeName } from './service-types.ts';

/** The part of a process's context that registration needs. */
export type RegisteredContext = Pick<
  ServiceContext<EnvSchema>,
  | 'logger'
  | 'readiness'
  | 'clock'
  | 'instanceId'
  | 'hostId'
  | 'teardown'
  | 'fail'
  | 'end'
  | 'onEnd'
  | 'answers'
  | 'envSchema'
  | 'onReload'
  | 'metrics'
  | 'loops'
> & {
  env: Record<string, unknown> & { [Name in keyof typeof commonEnv]: ReturnType<(typeof commonEnv)[Name]['parse']> };
};

/** Identity of a process in the registry. */
export interface ProcessIdentity {
  type: ServiceTypeName;
  /** Such as `watcher-applier#2`. */
  serviceName: string;
  host: string;
  instanceId: string;
}
