import type { WhatIfForm } from '../../components/what-if-path.ts';

type Moves = WhatIfForm['moves'];

/** An instance that is moved by hand. */
export interface MovedInstance {
  uuid: string;
  /** Null: not known. */
  name: string | null;
}

/** The move of an instance, which a link may call by its name. */
export function moveOf(moves: Moves, { uuid, name }: MovedInstance): Moves[number] | undefined {
  return moves.find(({ instance }) => instance === uuid || instance === name);
}

/** Moves of which the last takes an instance to a host. An earlier move of the same instance is left out. */
export function withMove(moves: Moves, moved: MovedInstance, host: string): Moves {
  const others = moves.filter((move) => moveOf([move], moved) === undefined);
  return [...others, { instance: moved.uuid, host }];
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a move calls its instance by uuid. */
export function isUuid(instance: string): boolean {
  return uuidForm.test(instance);
}
