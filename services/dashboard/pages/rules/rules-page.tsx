import { Alert, Button, ExpandableSection, Label, PageSection } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import type { PlacementRule, RuleEffect, RuleEffects } from '../../api/find-types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { InstanceLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loading, Nothing, textOf } from '../../components/states.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { hostsText, instancesText, kindTitles } from './rule-text.ts';

/** Rules of the operator on where instances may be: what they ask for, and what they are about now. */
export function RulesPage() {
  const mayWrite = useMay('internal:write');
  const [edited, setEdited] = useState<PlacementRule | 'new' | null>(null);
  return (
    <>
      <PageHeader
        title="Placement rules"
        actions={mayWrite && <Button onClick={() => setEdited('new')}>Create rule</Button>}
      >
        Where instances may be, beside Nova's server groups. Every plan keeps to them from when they are made.
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        <Rules onEdit={setEdited} />
      </PageSection>
      {edited !== null && <RuleDialog rule={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function Rules({ onEdit }: { onEdit: (rule: PlacementRule) => void }) {
  const rules = useLiveEntities('placement_rule');
  const isComplete = useIsComplete('placement_rule');
  const mayWrite = useMay('internal:write');
  const { internal } = useDashboard();
  const effects = useStreamQuery<RuleEffects>('placement-rule-effects', ['data_model', 'placement_rule']);
  const byRule = useMemo(() => new Map(effects.data?.rules.map((effect) => [effect.uuid, effect])), [effects.data]);
  const columns = useMemo<Column<PlacementRule>[]>(
    () => [
      { title: 'Rule', value: (rule) => rule.name, render: (rule) => <NameOf rule={rule} /> },
      { title: 'Asks for', value: (rule) => kindTitles[rule.kind], render: asksFor },
      { title: 'Instances', value: instancesText, render: (rule) => <span data-literal>{instancesText(rule)}</span> },
      { title: 'Hosts', value: hostsText, render: (rule) => <span data-literal>{hostsText(rule)}</span> },
      {
        title: 'Now',
        value: (rule) => byRule.get(rule.uuid)?.misplaced ?? -1,
        render: (rule) => <Effect effect={byRule.get(rule.uuid)} />,
      },
      ...(mayWrite
        ? [
            {
              title: 'Actions',
              render: (rule: PlacementRule) => (
                <span className="vigil-row-line">
                  <Button variant="link" isInline onClick={() => onEdit(rule)} aria-label={`Edit ${rule.name}`}>
                    Edit
                  </Button>
                  <ConfirmButton
                    label="Delete"
                    title={`Delete ${rule.name}?`}
                    run={() => internal(`placement-rules/${rule.uuid}`, { method: 'DELETE' })}
                    done="The rule is deleted"
                    variant="link"
                    isDestructive
                  >
                    Plans that are made from now on do not keep to it. Nothing moves at once.
                  </ConfirmButton>
                </span>
              ),
            },
          ]
        : []),
    ],
    [byRule, mayWrite, internal, onEdit],
  );
  if (!isComplete) return <Loading what="placement rules" />;
  return (
    <>
      {effects.isError && !effects.data && (
        <Alert
          isInline
          isPlain
          variant="info"
          title={`What they are about now is not known: ${textOf(effects.error)}`}
        />
      )}
      <DataTable
        label="Placement rules"
        rows={rules}
        columns={columns}
        rowKey={(rule) => rule.uuid}
        empty={
          <Nothing title="No placement rules yet">
            A rule keeps instances together, apart, on or off some hosts, or where they are.
          </Nothing>
        }
      />
    </>
  );
}

function NameOf({ rule: { name, description, enabled } }: { rule: PlacementRule }) {
  return (
    <>
      <strong>{name}</strong>{' '}
      {!enabled && (
        <Label color="grey" isCompact>
          not enforced
        </Label>
      )}
      {description && <div className="vigil-subtle">{description}</div>}
    </>
  );
}

function asksFor({ kind, strict, max_per_host: most }: PlacementRule) {
  const limit = kind === 'keep_apart' && most !== null && most > 1 ? `, ${most} on a host at most` : '';
  return `${kindTitles[kind]}${limit}${strict ? '' : ' (if possible)'}`;
}

/** What a rule is about now, and which instances are not where it wants them. */
function Effect({ effect }: { effect: RuleEffect | undefined }) {
  const [isOpen, setOpen] = useState(false);
  if (!effect) return '–';
  const { instances, hosts, misplaced, examples } = effect;
  const about = `${instances} ${instances === 1 ? 'instance' : 'instances'}${hosts === null ? '' : `, ${hosts} ${hosts === 1 ? 'host' : 'hosts'}`}`;
  if (instances === 0) return 'about nothing that there is';
  if (misplaced === 0) return `${about}, all as it asks`;
  return (
    <ExpandableSection
      toggleText={`${about}, ${misplaced} not as it asks`}
      isExpanded={isOpen}
      onToggle={(_event, next) => setOpen(next)}
    >
      {isOpen &&
        examples.map(({ uuid, name, hostname }) => (
          <div key={uuid}>
            <InstanceLink uuid={uuid} name={name} /> {hostname && `on ${hostname}`}
          </div>
        ))}
      {misplaced > examples.length && <div>and {misplaced - examples.length} more</div>}
    </ExpandableSection>
  );
}
