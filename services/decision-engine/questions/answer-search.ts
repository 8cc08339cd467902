import { answer, auditSearchTopic, type Consumer, type MessageBus } from '#libs/messaging';
import type { SearchBoard } from '../audit-runner/search-board.ts';

/** Answers `audit.search` for the audits that run in this process. */
export function answerSearch(
  bus: Pick<MessageBus, 'respond'>,
  instanceId: string,
  searches: Pick<SearchBoard, 'status' | 'finish'>,
): Promise<Consumer> {
  return answer(bus, auditSearchTopic(instanceId), async ({ op, audit_uuid: uuid }) => ({
    search: op === 'finish' ? searches.finish(uuid) : searches.status(uuid),
  }));
}
