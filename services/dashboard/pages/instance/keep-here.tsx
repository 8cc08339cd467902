import type { ClusterInstance, PlacementRuleCreate } from '../../api/find-types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { shortId } from '../../components/links.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useLiveEntities } from '../../live/use-live.ts';

/** Makes the rule that keeps an instance where it is, or takes it away again. */
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
        label="Let it move again"
        title={`Remove the rule ${kept.name}?`}
        run={() => internal(`placement-rules/${kept.uuid}`, { method: 'DELETE' })}
        done="Plans may move the instance again"
      >
        Plans that are made from now on may move {instance.name}. Nothing moves it at once.
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
      label="Keep it here"
      title={`Keep ${instance.name} here?`}
      run={() => internal('placement-rules', { method: 'POST', body: rule })}
      done="No plan moves the instance"
    >
      A placement rule leaves {instance.name} alone: no plan moves it from {instance.hostname ?? 'its host'} until the
      rule is removed. People can still move it with Nova.
    </ConfirmButton>
  );
}
