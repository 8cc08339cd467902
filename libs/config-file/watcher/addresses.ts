import { type Ask, isTrue } from './rule.ts';

/**
 * Watcher's `transport_url`, such as `rabbit://user:password@a:5672,user:password@b:5672/vhost`, as URL of the first
 * node and the addresses of the others. Null when it is not RabbitMQ.
 */
export function brokerVariables(transportUrl: string, request: Ask): Record<string, string> | null {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([a-z+]+):\/\/([^/?]*)(\/[^?]*)?(?:\?(.*))?$/i.exec(transportUrl.trim()) ?? [];
  if (!['rabbit', 'amqp', 'kombu'].includes(scheme.split('+')[0] ?? '')) return null;
  const [first = '', ...others] = authority.split(',');
  const isEncrypted = isTrue(new URLSearchParams(query).get('ssl') ?? request('oslo_messaging_rabbit', 'ssl'));
  const ca = request('oslo_messaging_rabbit', 'ssl_ca_file');
  const host = path.replace(/^\//, '');
  const virtualHost = host === '' || host === '/' ? '%2F' : host;
  const parameters = isEncrypted && ca ? `?cacertfile=${encodeURIComponent(ca)}` : '';
  const nodes = others.map((node) => node.slice(node.lastIndexOf('@') + 1)).filter((node) => node !== '');
  return {
    VIGIL_AMQP_URL: `${isEncrypted ? 'amqps' : 'amqp'}://${first}/${virtualHost}${parameters}`,
    ...(nodes.length > 0 ? { VIGIL_AMQP_NODES: nodes.join(',') } : {}),
  };
}

/** SQLAlchemy's URL of a PostgreSQL database in the form of libpq. Null for other databases. */
export function postgresUrl(connection: string): string | null {
  const [, rest] = /^postgres(?:ql)?(?:\+\w+)?(:\/\/.*)$/s.exec(connection.trim()) ?? [];
  return rest === undefined ? null : `postgres${rest.replace(/\?.*$/, sslParameters)}`;
}

/** Of the parameters of a driver only those about TLS mean the same everywhere. */
function sslParameters(query: string): string {
  const kept = [...new URLSearchParams(query)].filter(([name]) => name.startsWith('ssl'));
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
}

/** The URL of Prometheus from `host` and `port` of `[prometheus_client]`, with the login of that section. */
export function prometheusUrl(host: string, request: Ask): string {
  const port = request('prometheus_client', 'port');
  const user = request('prometheus_client', 'username');
  const login = user
    ? `${encodeURIComponent(user)}:${encodeURIComponent(request('prometheus_client', 'password') ?? '')}@`
    : '';
  const isEncrypted = ['cafile', 'certfile'].some((name) => request('prometheus_client', name));
  const address = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `${isEncrypted ? 'https' : 'http'}://${login}${address}${port ? `:${port}` : ''}`;
}
