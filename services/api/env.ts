import {
  approvalRules,
  automationRules,
  choice,
  cronTimeZone,
  type EnvKey,
  flag,
  hostLimits,
  integer,
  list,
  listenKeys,
  maxActionsPerPlan,
  migrationNetworks,
  notificationAllowedHosts,
  oppositeAudits,
  parallelPerNetwork,
  text,
  url,
} from '#libs/service-kit/env';
import { webSsoChoices } from './dashboard/web-sso.ts';
import { parseNetwork } from './http/request/proxy-trust.ts';

/** Addresses and networks, separated by commas. */
function networks(options: { description: string }): EnvKey<string[]> {
  const key = list(options);
  return {
    ...key,
    parse(given) {
      const found = key.parse(given);
      const wrong = found.find((text) => parseNetwork(text) === undefined);
      if (wrong !== undefined)
        throw new Error(`must be addresses or networks such as 10.0.0.0/8, which ${wrong} is not`);
      return found;
    },
  };
}

const entry = /^(GET|POST|PATCH|PUT|DELETE) (\/\S+?)=([1-9]\d{0,6})$/;

/** Configuration of the API. See docs/configuration.md, which is generated from it. */
export const apiEnv = {
  ...listenKeys,
  VIGIL_AUTH: choice({
    words: ['keystone', 'none'],
    default: 'keystone',
    description:
      '`none` trusts the identity headers of every client; it is refused unless the API listens on loopback only. Web pages are kept out: the `Host` must be this machine (or `VIGIL_PUBLIC_URL`), an `Origin` its own, and a change needs `Content-Type: application/json` or the header `X-Vigil-Dashboard`.',
  }),
  VIGIL_PUBLIC_URL: url({
    schemes: ['http:', 'https:'],
    description:
      'URL under which clients reach the API, with mount prefix, such as `https://cloud.example.org/infra-optim`. Default: the `Host` header.',
  }),
  VIGIL_WWW_AUTHENTICATE_URI: url({
    schemes: ['http:', 'https:'],
    description: 'URL of Keystone that a 401 names. Default: OS_AUTH_URL.',
  }),
  VIGIL_ENABLE_PROXY_HEADERS: flag({
    default: false,
    description:
      'Whether generated URLs follow `Forwarded` and `X-Forwarded-Proto/-Host/-Prefix`, and the last `X-Forwarded-For` is the address of the client (audit log, request limits); only behind a proxy that sets them. Of every peer, unless `VIGIL_TRUSTED_PROXIES` is set.',
  }),
  VIGIL_TRUSTED_PROXIES: networks({
    description:
      'Addresses and networks of the proxies in front of the API, such as `192.0.2.10,10.244.0.0/16`; their headers are followed as with `VIGIL_ENABLE_PROXY_HEADERS`, and those of other peers ignored. Default: none.',
  }),
  VIGIL_SESSION_IDLE_SECONDS: integer({
    default: 3600,
    min: 0,
    max: 43_200,
    description:
      'Idle time after which a dashboard session ends. Automatic requests of an open page do not count as use. 0: no limit.',
  }),
  VIGIL_WEBSSO: webSsoChoices({
    description:
      'Ways to sign in to the dashboard through Keystone’s federation, with the texts of their buttons, such as `openid=Company account,acme/saml2=Acme`: a protocol, or an identity provider and its protocol. Keystone must have `<URL of the API>/dashboard/session/websso` among its `[federation] trusted_dashboard`. Default: none.',
  }),
  VIGIL_WEBSSO_KEYSTONE_URL: url({
    schemes: ['http:', 'https:'],
    description:
      'URL of Keystone as browsers reach it, for signing in by `VIGIL_WEBSSO`; tokens are taken from pages of this origin only. Default: VIGIL_WWW_AUTHENTICATE_URI, else OS_AUTH_URL.',
  }),
  VIGIL_HSTS_SECONDS: integer({
    min: 0,
    max: 63_072_000,
    description:
      'How long browsers must use https for the host of the API (`Strict-Transport-Security`), on all ports of that host; sent to clients that use https. Default: a year when the public port is 443, otherwise 0, which is never.',
  }),
  VIGIL_POLICY_FILE: text({
    description:
      'YAML or JSON file that overrides policy rules by name, in oslo.policy’s language; read again when it changes.',
  }),
  VIGIL_POLICY_FILE_REQUIRED: flag({
    default: true,
    description:
      'Whether VIGIL_POLICY_FILE must exist at the start. With `false`, the default rules are used until it exists, with one warning.',
  }),
  VIGIL_ENABLE_WEBHOOKS_AUTH: flag({
    default: true,
    description: 'Whether webhooks need a token and the rule `webhook:trigger`.',
  }),
  VIGIL_TOKEN_CACHE_SECONDS: integer({
    default: 60,
    min: 0,
    max: 300,
    description:
      'Time for which a validated token is accepted without another call to Keystone. A revoked token is refused by then.',
  }),
  VIGIL_CORS_ALLOWED_ORIGIN: list({
    description: 'Origins of browsers that may call the API, separated by commas; `*` for all. Default: none.',
  }),
  VIGIL_API_RATE_LIMIT: integer({
    reloadable: true,
    default: 0,
    min: 0,
    max: 1_000_000,
    description:
      'Requests a minute to this process from one valid token or session, or from one address without them; as many at once. 0: no limit.',
  }),
  VIGIL_API_UNKNOWN_TOKEN_LIMIT: integer({
    reloadable: true,
    default: 120,
    min: 0,
    max: 1_000_000,
    description:
      'Rejected tokens per minute and address, with a burst of the same size. A quarter more is a reserve for texts with the form of a token, served slowly. Further unknown tokens get 429 without a call to Keystone. 0: no limit. Valid tokens never count.',
  }),
  VIGIL_API_ROUTE_LIMITS: routeLimits({
    description:
      'Requests a minute to single routes for each of these, such as `POST /v1/audits=30,GET /v1/actions=120`; several with commas.',
  }),
  VIGIL_WATCH_PER_USER: integer({
    reloadable: true,
    default: 100,
    min: 1,
    max: 100_000,
    description: 'Change streams that a user may have open at one API process, and long-poll watchers in all.',
  }),
  VIGIL_WATCH_MAX_SECONDS: integer({
    reloadable: true,
    default: 300,
    min: 10,
    max: 86_400,
    description:
      'Lifetime of a change stream. Its client then reconnects automatically, and its token is checked again.',
  }),
  VIGIL_MEMCACHED_URL: url({
    schemes: ['memcached:'],
    description:
      'Cache of the API processes for values from the cloud, such as `memcached://host:11211`. Default: the database.',
  }),
  VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN: maxActionsPerPlan,
  ...hostLimits,
  VIGIL_PARALLEL_PER_NETWORK: parallelPerNetwork('for estimates of durations'),
  VIGIL_MIGRATION_NETWORKS: migrationNetworks,
  VIGIL_CRON_TIME_ZONE: cronTimeZone,
  VIGIL_OPPOSITE_AUDITS: oppositeAudits,
  VIGIL_NOTIFICATION_ALLOWED_HOSTS: notificationAllowedHosts,
  VIGIL_APPROVAL_RULES: approvalRules,
  VIGIL_AUTOMATION_RULES: automationRules,
  VIGIL_GRAFANA_HOST_URL: url({
    reloadable: true,
    schemes: ['http:', 'https:'],
    description:
      'Page of Grafana about a host, which the dashboard links to; `{host}` stands for its name, such as `https://grafana.example/d/node?var-host={host}`.',
  }),
  VIGIL_GRAFANA_INSTANCE_URL: url({
    reloadable: true,
    schemes: ['http:', 'https:'],
    description: 'The same about an instance; `{uuid}` stands for its uuid, `{name}` for its name.',
  }),
  VIGIL_HORIZON_URL: url({
    reloadable: true,
    schemes: ['http:', 'https:'],
    description:
      'Horizon, such as `https://cloud.example/dashboard`: the dashboard links to its admin pages of instances and hypervisors.',
  }),
  VIGIL_API_MAX_LIMIT: integer({
    default: 1000,
    min: 1,
    max: 100_000,
    description: 'Maximum number of entries on a page of a list.',
  }),
} as const;

/** A configuration key of limits by route: `<method> <route>=<requests a minute>`, separated by commas. */
export function routeLimits(options: { description: string }): EnvKey<ReadonlyMap<string, number>> {
  const texts = list(options);
  return {
    ...texts,
    parse: (given) =>
      new Map(
        texts.parse(given).map((text) => {
          const [, method, route, limit] = entry.exec(text) ?? [];
          if (!method) throw new Error(`must be like "POST /v1/audits=30", not "${text}"`);
          return [`${method} ${route}`, Number(limit)];
        }),
      ),
  };
}
