import type { ContractCase } from './contract-case.ts';

/** Servers of `createParticipants` whose hints, flavor or zone decide about their destination. */
const restricted = ['plain', 'together', 'apart', 'asked', 'near', 'capable', 'pinned'];

function move(server: string, minor: number, body: object): ContractCase {
  return {
    service: 'compute',
    method: 'POST',
    path: `/servers/{${server}}/action`,
    microversion: `2.${minor}`,
    body,
    moves: server,
  };
}

/** Moves off the host that all participants share, to the named one and to one of Nova's choice, with their ends. */
export const moveCases: readonly ContractCase[] = restricted.flatMap((server) => [
  move(server, 30, { 'os-migrateLive': { host: '{other}', block_migration: 'auto' } }),
  move(server, 104, { 'os-migrateLive': { host: '{other}', block_migration: 'auto' } }),
  move(server, 104, { migrate: { host: '{other}' } }),
]);
