import { type MoveWay, moveRefusal, type ServerCondition } from '#libs/domain';

/** What is done to an instance of the host; null when nothing is possible. */
export type Handling = Exclude<MoveWay, 'evacuate'> | 'stop' | null;

/**
 * The way an instance leaves the host: live if Nova moves it so, else cold, of the ways that are not switched off. An active one is
 * stopped when both are.
 */
export function chooseMove(server: ServerCondition, liveDisabled: boolean, coldDisabled: boolean): Handling {
  if (!liveDisabled && moveRefusal('live', server) === null) return 'live';
  if (!coldDisabled && moveRefusal('cold', server) === null) return 'cold';
  return liveDisabled && coldDisabled && server.vmState === 'active' ? 'stop' : null;
}
