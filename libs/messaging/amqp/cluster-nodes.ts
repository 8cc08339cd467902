import { InvalidInputError } from '#libs/domain';
import { parseAmqpUrl } from './connect-errors.ts';

/**
 * One URL for every node of a cluster: that of the first with the addresses of the others, given as `host:port` or `host`.
 * Addresses that occur twice are taken once.
 * @throws InvalidInputError when an address is none
 */
export function amqpUrlsOf(url: string, nodes: readonly string[]): string[] {
  const first = parseAmqpUrl(url);
  const others = nodes.map((address) => {
    const node = new URL(first);
    node.port = '';
    node.host = address;
    if (address === '' || !`${address}:`.startsWith(`${node.host}:`) || /[/@?#]/.test(address)) {
      throw new InvalidInputError('VIGIL_AMQP_NODES', `"${address}" must look like host:port`);
    }
    return node;
  });
  const byHost = new Map([first, ...others].map((node) => [node.host, node.toString()]));
  return [...byHost.values()];
}
