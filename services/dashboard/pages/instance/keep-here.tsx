import type { ClusterInstance, PlacementRuleCreate } from '../../api/find-types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { shortId } from '../../components/links.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useLiveEntities } from '../../live/use-live.ts';
import { text } from '../../texts/texts.ts';

/** Creates or deletes the rule that keeps an instance on its host. */
export function KeepHere({ instance }: { instance: ClusterInstance['instance'] }) {
  const { internal } = useDashboard();
  const mayWrite = useMay('internal:write');
  const rules = useLiveEntities('placement_rule');
  const kept = rules.find(
    ({ kind, enabled, instances: { uuids, ...others } }) =>
      kind === 'leave_alone' &&
      enabled &&
      uuids?.length === 1 &&
      uuids[0] === instance.uuid &&
      Object.keys(others).length === 0,
  );
  if (!mayWrite) return null;
  if (kept)
    return (
      <ConfirmButton
        label={text('instance.allowMoves')}
        title={text('host.removeRule', { rule: kept.name })}
        run={() => internal(`placement-rules/${kept.uuid}`, { method: 'DELETE' })}
        done={text('instance.movesAllowed')}
      >
        {text('instance.allowMovesHint', { name: instance.name })}
      </ConfirmButton>
    );
  const rule: PlacementRuleCreate = {
    name: `keep ${instance.name} ${shortId(instance.uuid)}`,
    description: `Keeps ${instance.name} on ${instance.hostname ?? 'its host'}.`,
    kind: 'leave_alone',
    instances: { uuids: [instance.uuid] },
  };
  return (
    <ConfirmButton
      label={text('instance.keep')}
      title={text('instance.confirmKeep', { name: instance.name })}
      run={() => internal('placement-rules', { method: 'POST', body: rule })}
      done={text('instance.kept')}
    >
      {text('instance.keepHint', { name: instance.name, host: instance.hostname ?? text('instance.itsHost') })}
    </ConfirmButton>
  );
}
