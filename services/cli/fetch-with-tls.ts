import { readFileSync } from 'node:fs';
import { UsageError } from './errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * `fetch` with the CA bundle of `OS_CACERT` and the client certificate of `OS_CERT` and `OS_KEY`. With `OS_INSECURE` it
 * verifies no certificate. Undefined when none of them is set.
 * @throws UsageError when a file cannot be read
 */
export function fetchWithTls(env: Env): typeof fetch | undefined {
  const { OS_CERT: cert, OS_KEY: key } = env;
  const isInsecure = /^(true|1|yes|on)$/i.test(env.OS_INSECURE ?? '');
  if (key && !cert) throw new UsageError('OS_KEY is set, but OS_CERT with its certificate is not');
  if (!env.OS_CACERT && !cert && !isInsecure) return undefined;
  const connect = {
    ca: contentOf(env, 'OS_CACERT'),
    cert: contentOf(env, 'OS_CERT'),
    // As in the OpenStack client, the certificate file may contain the key.
    key: contentOf(env, key ? 'OS_KEY' : 'OS_CERT'),
    rejectUnauthorized: !isInsecure,
  };
  // Loaded lazily: most commands do not need it, and loading is slow.
  let loaded: Promise<typeof fetch> | undefined;
  const load = async () => {
    const { Agent, fetch: send } = await import('undici');
    const dispatcher = new Agent({ connect });
    return ((input: string, init: object) => send(input, { ...init, dispatcher })) as unknown as typeof fetch;
  };
  return async (input, init) => {
    loaded ??= load();
    return (await loaded)(input, init);
  };
}

function contentOf(env: Env, name: string): string | undefined {
  const path = env[name];
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}`);
  }
}
