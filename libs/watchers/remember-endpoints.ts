import { type Logger, messageOf } from '#libs/domain';
import type { GateReport, NodeReport } from './dependency.ts';
import type { WatchedGate } from './gate.ts';
import { type KnownEndpoints, writeKnownEndpoints } from './known-endpoints.ts';

/**
 * Keeps the addresses of the brokers and database servers that work, standbys among them, in a file, written only when
 * they change. Of what does not work at all the former addresses stay.
 */
export function rememberEndpoints(gate: Pick<WatchedGate, 'onReport'>, path: string, logger: Logger): void {
  let known: KnownEndpoints = {};
  let writing = Promise.resolve();

  gate.onReport((report) => {
    const working: KnownEndpoints = { ...known, ...workingEndpoints(report) };
    if (JSON.stringify(working) === JSON.stringify(known)) return;
    known = working;
    writing = writing
      .then(() => writeKnownEndpoints(path, working))
      .catch((error: unknown) => logger.warn({ path, error: messageOf(error) }, 'known endpoints could not be kept'));
  });
}

/** How the address of a node is found in its name. */
const hostOf: Record<string, (node: string) => string> = {
  postgresql: (node) => node.replace(/\/.*/, ''),
  rabbitmq: (node) => new URL(node).host,
};

function workingEndpoints({ dependencies }: GateReport): KnownEndpoints {
  const works = ({ up, readable }: NodeReport) => up || readable;
  const found = Object.entries(hostOf).map(([name, host]): [string, string[]] => {
    const nodes = dependencies.find((dependency) => dependency.name === name)?.nodes ?? [];
    return [name, nodes.filter(works).map(({ node }) => host(node))];
  });
  return Object.fromEntries(found.filter(([, hosts]) => hosts.length > 0));
}
