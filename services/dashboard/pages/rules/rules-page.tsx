import { Button, ExpandableSection, Label, PageSection } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import type { PlacementRule, RuleEffect, RuleEffects } from '../../api/find-types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { InstanceLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loading, Nothing, textOf } from '../../components/states.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { hostsText, instancesText } from './rule-text.ts';

/** The operator's placement rules: their policies, and the instances that they match now. */
export function RulesPage() {
  const mayWrite = useMay('internal:write');
  const [edited, setEdited] = useState<PlacementRule | 'new' | null>(null);
  return (
    <>
      <PageHeader
        title={text('page.rules')}
        actions={mayWrite && <Button onClick={() => setEdited('new')}>{text('rules.create')}</Button>}
      >
        {text('rules.hint')}
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
      { title: text('rules.rule'), name: 'rule', value: (rule) => rule.name, render: (rule) => <NameOf rule={rule} /> },
      {
        title: text('rules.policy'),
        name: 'policy',
        value: (rule) => text(`rules.kind.${rule.kind}`),
        render: policyOf,
      },
      {
        title: text('column.instances'),
        name: 'instances',
        value: instancesText,
        render: (rule) => <span data-literal>{instancesText(rule)}</span>,
      },
      {
        title: text('column.hosts'),
        name: 'hosts',
        value: hostsText,
        render: (rule) => <span data-literal>{hostsText(rule)}</span>,
      },
      {
        title: text('rules.now'),
        name: 'now',
        value: (rule) => byRule.get(rule.uuid)?.misplaced ?? -1,
        render: (rule) =>
          byRule.has(rule.uuid) || effects.isError ? (
            <Effect effect={byRule.get(rule.uuid)} />
          ) : (
            <Loading what={rule.name} as="line" />
          ),
      },
      ...(mayWrite
        ? [
            {
              title: text('column.actions'),
              render: (rule: PlacementRule) => (
                <span className="vigil-row-line">
                  <Button
                    variant="link"
                    isInline
                    onClick={() => onEdit(rule)}
                    aria-label={text('rules.editOne', { name: rule.name })}
                  >
                    {text('rules.edit')}
                  </Button>
                  <ConfirmButton
                    label={text('do.delete')}
                    title={text('templates.deleteTitle', { name: rule.name })}
                    run={() => internal(`placement-rules/${rule.uuid}`, { method: 'DELETE' })}
                    done={text('rules.deleted')}
                    variant="link"
                    isDestructive
                  >
                    {text('rules.deleteHint')}
                  </ConfirmButton>
                </span>
              ),
            },
          ]
        : []),
    ],
    [byRule, mayWrite, internal, onEdit],
  );
  if (!isComplete) return <Loading what={text('page.rules')} as="table" />;
  return (
    <>
      {effects.isError && !effects.data && (
        <Alert
          isInline
          isPlain
          variant="info"
          title={text('rules.effectsUnknown', { reason: textOf(effects.error) })}
        />
      )}
      <DataTable
        label={text('page.rules')}
        rows={rules}
        columns={columns}
        rowKey={(rule) => rule.uuid}
        empty={<Nothing title={text('rules.none')}>{text('rules.noneHint')}</Nothing>}
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
          {text('rules.notEnforced')}
        </Label>
      )}
      {description && <div className="vigil-subtle">{description}</div>}
    </>
  );
}

function policyOf({ kind, strict, max_per_host: most }: PlacementRule) {
  const limit = kind === 'keep_apart' && most !== null && most > 1 ? text('rules.mostOn', { count: most }) : '';
  return `${text(`rules.kind.${kind}`)}${limit}${strict ? '' : ` ${text('rules.ifPossible')}`}`;
}

/** Instances that the rule matches now, and those that violate it. */
function Effect({ effect }: { effect: RuleEffect | undefined }) {
  const [isOpen, setOpen] = useState(false);
  if (!effect) return '–';
  const { instances, hosts, misplaced, examples } = effect;
  const about = [
    text('report.ofInstances', { count: instances }),
    ...(hosts === null ? [] : [text('report.ofHosts', { count: hosts })]),
  ].join(', ');
  if (instances === 0) return text('rules.matchesNothing');
  if (misplaced === 0) return text('rules.compliant', { about });
  return (
    <ExpandableSection
      toggleText={text('rules.violations', { about, count: misplaced })}
      isExpanded={isOpen}
      onToggle={(_event, next) => setOpen(next)}
    >
      {isOpen &&
        examples.map(({ uuid, name, hostname }) => (
          <div key={uuid}>
            <InstanceLink uuid={uuid} name={name} /> {hostname && text('overview.onHost', { host: hostname })}
          </div>
        ))}
      {misplaced > examples.length && <div>{text('common.andMore', { count: misplaced - examples.length })}</div>}
    </ExpandableSection>
  );
}
