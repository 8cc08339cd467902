import type { WhatIfForm } from '../../components/what-if-path.ts';

type Moves = WhatIfForm['moves'];

/** A manually migrated instance. */
export interface MovedInstance {
  uuid: string;
  /** Null: unknown. */
  name: string | null;
}

/** The move of an instance by its uuid, or by its name in a link. */
export function moveOf(moves: Moves, { uuid, name }: MovedInstance): Moves[number] | undefined {
  return moves.find(({ instance }) => instance === uuid || instance === name);
}

/** Moves with a further one of an instance to a host. It replaces an earlier move of the same instance. */
export function withMove(moves: Moves, moved: MovedInstance, host: string): Moves {
  const others = moves.filter((move) => moveOf([move], moved) === undefined);
  return [...others, { instance: moved.uuid, host }];
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a move has the uuid of its instance. */
export function isUuid(instance: string): boolean {
  return uuidForm.test(instance);
}
