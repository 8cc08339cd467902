import { dataSourcesEnv } from '#libs/history/connect';
import { choice, url } from '#libs/service-kit/env';

/** Configuration of `vigil watch`: that of the processes that it watches for. */
export const watchEnv = {
  ...dataSourcesEnv,
  VIGIL_AUTH: choice({
    words: ['keystone', 'none'],
    default: 'keystone',
    description: 'As that of the API: with `none` it does without Keystone.',
  }),
  VIGIL_MEMCACHED_URL: url({
    schemes: ['memcached:'],
    description: 'As that of the API. It is watched on behalf of the API, which does without it while it is away.',
  }),
} as const;
