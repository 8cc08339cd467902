import type { Options } from 'amqplib';

/** The form of an AMQP URL whose address may be exchanged between two connections. */
export function connectTarget(url: URL): Options.Connect {
  const number = (name: string) => {
    const text = url.searchParams.get(name);
    return text === null ? undefined : Number(text);
  };
  const isNamed = url.username !== '' || url.password !== '';
  return {
    protocol: url.protocol.replace(':', ''),
    ...addressOf(url),
    ...(isNamed ? { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) } : {}),
    vhost: url.pathname.slice(1),
    heartbeat: number('heartbeat'),
    channelMax: number('channelMax'),
    frameMax: number('frameMax'),
  };
}

/** Host and port of a node. */
export function addressOf(url: URL): { hostname: string; port: number | undefined } {
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? undefined : Number(url.port) };
}
