import type { WhatIf } from '#libs/cluster-model';
import { InvalidInputError, nearestName } from '#libs/domain';

/**
 * Row of a host that a parameter names.
 * @throws InvalidInputError when the model does not have it (the scope of the audit may hide it), with the nearest name.
 */
export function namedHost(model: WhatIf, parameter: string, hostname: string): number {
  const row = model.hostRow(hostname);
  if (row !== undefined) return row;
  const nearest = nearestName(
    hostname,
    model.snapshot.hostInfo.map((host) => host.hostname),
  );
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
  throw new InvalidInputError(parameter, `there is no compute node ${hostname} in the scope of the audit${hint}`);
}
