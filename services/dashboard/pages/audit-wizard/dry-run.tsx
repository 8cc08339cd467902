import { Button, Content, ExpandableSection, Flex, Label, Title } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { type AuditPreview, dataOf, planFacts, type Strategy, withUnits } from '#libs/client';
import { AuditReportView } from '../../components/audit-report.tsx';
import { StrategyName } from '../../components/display-names.tsx';
import { IndicatorList } from '../../components/efficacy.tsx';
import { gainedQuantities } from '../../components/headline-parts.ts';
import { HostChanges, isTouched } from '../../components/host-changes.tsx';
import { Prose } from '../../components/prose.tsx';
import { scopeOf } from '../../components/scope.ts';
import { SideEffects } from '../../components/side-effects.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { wordsOf } from '../../texts/api-names.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { type AuditForm, previewOf } from './audit-form.ts';
import { Comparison } from './comparison.tsx';

/** The API compares at most so many. */
const maxCompared = 10;

interface DryRunProps {
  form: AuditForm;
  strategy: Strategy | undefined;
  /** All strategies of the goal, to compare. */
  strategies: readonly Strategy[];
  /** Selects another strategy. */
  onUse: (strategy: Strategy) => void;
}

/** Proposal of the audit if it ran now, and of the goal's other strategies. Nothing is stored. */
export function DryRun({ form, strategy, strategies, onUse }: DryRunProps) {
  const { client } = useDashboard();
  const preview = useMutation({
    mutationFn: () => dataOf(client.api.POST('/v1/audits/preview', { body: previewOf(form, strategy) })),
  });
  const compare = useMutation({
    mutationFn: async () => {
      const scope = scopeOf(form.scope);
      const body = {
        goal: form.goal,
        strategies: strategies.slice(0, maxCompared).map((known) => ({
          strategy: known.uuid,
          ...(known.uuid === strategy?.uuid ? { parameters: previewOf(form, strategy).parameters } : {}),
        })),
        ...(scope.length > 0 ? { scope } : {}),
      };
      const { results } = await dataOf(client.api.POST('/v1/audits/compare', { body }));
      return results;
    },
  });
  return (
    <>
      <Content component="p">{text('wizard.dryRunHint')}</Content>
      <Flex gap={{ default: 'gapSm' }}>
        <Button variant="secondary" isDisabled={preview.isPending} onClick={() => preview.mutate()}>
          {text('wizard.dryRun')}
        </Button>
        {strategies.length > 1 && (
          <Button variant="secondary" isDisabled={compare.isPending} onClick={() => compare.mutate()}>
            {text('wizard.compare', { count: Math.min(maxCompared, strategies.length) })}
          </Button>
        )}
      </Flex>
      {(preview.isPending || compare.isPending) && <Loading what={text('wizard.dryRun')} />}
      {preview.isError && <Failure title={text('wizard.dryRunFailed')} error={preview.error} />}
      {compare.isError && <Failure title={text('wizard.compareFailed')} error={compare.error} />}
      {compare.data && (
        <Comparison results={compare.data} strategies={strategies} chosen={form.strategy} onUse={onUse} />
      )}
      {preview.data && <PreviewView preview={preview.data} />}
    </>
  );
}

function PreviewView({ preview }: { preview: AuditPreview }) {
  const counts = new Map<string, number>();
  for (const { action_type: type } of preview.actions) counts.set(type, (counts.get(type) ?? 0) + 1);
  const indicators = withUnits(preview.indicators, preview.strategy);
  const gained = gainedQuantities(preview.indicators, preview.strategy);
  return (
    <section aria-label={text('wizard.result')} className="vigil-preview">
      <Title headingLevel="h3">
        {richText('wizard.proposes', {
          strategy: <StrategyName name={preview.strategy} />,
          count: preview.actions.length,
        })}
      </Title>
      {gained.length > 0 && <p className="vigil-headline-gain">{gained.join(' · ')}</p>}
      <Flex gap={{ default: 'gapSm' }}>
        {[...counts].map(([type, count]) => (
          <Label key={type} color="blue">
            {count} × {wordsOf(type)}
          </Label>
        ))}
      </Flex>
      <IndicatorList indicators={[...preview.global_efficacy, ...planFacts(indicators)]} />
      <SideEffects of={preview} />
      <ExpandableSection toggleText={text('wizard.hosts')}>
        <HostChanges hosts={preview.hosts.filter(isTouched)} unplaced={preview.unplaced} />
      </ExpandableSection>
      <ExpandableSection toggleText={text('wizard.reasons')}>
        <ol className="vigil-reasons">
          {preview.actions.slice(0, 100).map((action, index) => (
            <li key={index}>
              <strong>{wordsOf(action.action_type)}</strong> <Prose text={action.reason.summary} />
            </li>
          ))}
        </ol>
      </ExpandableSection>
      <ExpandableSection toggleText={text('wizard.analyzed')}>
        <AuditReportView report={preview.report} />
      </ExpandableSection>
    </section>
  );
}
