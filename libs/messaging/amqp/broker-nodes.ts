import type { Options } from 'amqplib';
import { InvalidInputError } from '#libs/domain';
import { brokerAddress, parseAmqpUrl } from './connect-errors.ts';

const heartbeatSeconds = 30;

/** The nodes of a broker, and the next one to connect to. */
export interface BrokerNodes {
  /** URL of the first node, with a heartbeat. */
  readonly url: URL;
  /** All nodes without user and password, for logs. */
  readonly address: string;
  /** The node to connect to. `turnToNext` changes it in place, because the driver keeps this object. */
  readonly target: Options.Connect;
  turnToNext(): void;
}

/**
 * Starts with the node of the URL.
 * @throws InvalidInputError when the URL or an address is invalid
 */
export function createBrokerNodes(firstUrl: string, others: readonly string[]): BrokerNodes {
  const urls = amqpUrlsOf(firstUrl, others).map((text) => new URL(text));
  const url = parseAmqpUrl(firstUrl);
  const address = urls.map(brokerAddress).join(', ');
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(heartbeatSeconds));
  const target = connectTarget(url);
  let tried = 0;
  return {
    url,
    address,
    target,
    turnToNext() {
      tried += 1;
      const next = urls[tried % urls.length] ?? url;
      Object.assign(target, addressOf(next));
    },
  };
}

/**
 * Returns one URL for every node of a cluster: the URL of the first with the addresses of the others, given as
 * `host:port` or `host`. Duplicate addresses are removed.
 * @throws InvalidInputError when an address is invalid
 */
export function amqpUrlsOf(url: string, nodes: readonly string[]): string[] {
  const first = parseAmqpUrl(url);
  const others = nodes.map((address) => {
    const node = new URL(first);
    node.port = '';
    node.host = address;
    if (address === '' || !`${address}:`.startsWith(`${node.host}:`) || /[/@?#]/.test(address)) {
      throw new InvalidInputError('VIGIL_AMQP_NODES', `"${address}" must have the form host:port`);
    }
    return node;
  });
  const byHost = new Map([first, ...others].map((node) => [node.host, node.toString()]));
  return [...byHost.values()];
}

/** The form of an AMQP URL with a replaceable address. */
function connectTarget(url: URL): Options.Connect {
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
function addressOf(url: URL): { hostname: string; port: number | undefined } {
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? undefined : Number(url.port) };
}
