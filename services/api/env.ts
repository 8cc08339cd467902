import { choice, integer, text, url } from '#libs/service-kit/env';

/** Configuration of the API; see docs/configuration.md, which is generated from it. */
export const apiEnv = {
  VIGIL_HOST: text({ default: '127.0.0.1', description: 'Address on which the API listens.' }),
  VIGIL_PORT: integer({ default: 9322, min: 0, max: 65_535, description: 'Port of the API; 0 takes a free one.' }),
  VIGIL_AUTH: choice({
    words: ['keystone', 'none'],
    default: 'keystone',
    description:
      '`none` believes the identity headers of every client; it is refused unless the API listens on loopback only.',
  }),
  VIGIL_PUBLIC_URL: url({
    schemes: ['http:', 'https:'],
    description:
      'URL under which clients reach the API, with mount prefix, such as `https://cloud.example.org/infra-optim`. Default: what the `Host` header says.',
  }),
  VIGIL_WWW_AUTHENTICATE_URI: url({
    schemes: ['http:', 'https:'],
    description: 'URL of Keystone that a 401 names. Default: OS_AUTH_URL.',
  }),
  VIGIL_API_MAX_LIMIT: integer({
    default: 1000,
    min: 1,
    max: 100_000,
    description: 'Entries of a list at most; more are on the next pages.',
  }),
} as const;
