import { type EnvKey, list } from '#libs/service-kit/env';

const entry = /^(GET|POST|PATCH|PUT|DELETE) (\/\S+?)=([1-9]\d{0,6})$/;

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
