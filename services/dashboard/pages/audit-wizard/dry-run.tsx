import { Button, Content, ExpandableSection, Flex, Label, Title } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { type AuditPreview, dataOf, phraseOf, type Strategy, withUnits, wordsOf } from '#libs/client';
import { AuditReportView } from '../../components/audit-report.tsx';
import { StrategyName } from '../../components/display-names.tsx';
import { IndicatorList } from '../../components/efficacy.tsx';
import { HostChanges, isTouched } from '../../components/host-changes.tsx';
import { Prose } from '../../components/prose.tsx';
import { scopeOf } from '../../components/scope.ts';
import { Failure, Loading } from '../../components/states.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { type AuditForm, previewOf } from './audit-form.ts';
import { Comparison } from './comparison.tsx';

/** As many as the API compares. */
const maxCompared = 10;

interface DryRunProps {
  form: AuditForm;
  strategy: Strategy | undefined;
  /** All strategies of the goal, to compare. */
  strategies: readonly Strategy[];
  /** Takes another strategy. */
  onUse: (strategy: Strategy) => void;
}

/** What the audit would propose now, and what the goal's other strategies would. Nothing is stored. */
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
      <Content component="p">
        A dry run computes the plan with the cloud as it is now. Nothing is stored and nothing is changed.
      </Content>
      <Flex gap={{ default: 'gapSm' }}>
        <Button variant="secondary" isDisabled={preview.isPending} onClick={() => preview.mutate()}>
          Dry run
        </Button>
        {strategies.length > 1 && (
          <Button variant="secondary" isDisabled={compare.isPending} onClick={() => compare.mutate()}>
            Compare {Math.min(maxCompared, strategies.length)} strategies
          </Button>
        )}
      </Flex>
      {(preview.isPending || compare.isPending) && <Loading what="dry run" />}
      {preview.isError && <Failure title="The dry run failed" error={preview.error} />}
      {compare.isError && <Failure title="The comparison failed" error={compare.error} />}
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
  return (
    <section aria-label="Result of the dry run" className="vigil-preview">
      <Title headingLevel="h3">
        <StrategyName name={preview.strategy} /> would propose {preview.actions.length}{' '}
        {preview.actions.length === 1 ? 'action' : 'actions'}
      </Title>
      <Flex gap={{ default: 'gapSm' }}>
        {[...counts].map(([type, count]) => (
          <Label key={type} color="blue">
            {count} {phraseOf(type)}
          </Label>
        ))}
      </Flex>
      <IndicatorList indicators={[...preview.global_efficacy, ...withUnits(preview.indicators, preview.strategy)]} />
      <ExpandableSection toggleText="Hosts before and after">
        <HostChanges hosts={preview.hosts.filter(isTouched)} unplaced={preview.unplaced} />
      </ExpandableSection>
      <ExpandableSection toggleText="Actions and their reasons">
        <ol className="vigil-reasons">
          {preview.actions.slice(0, 100).map((action, index) => (
            <li key={index}>
              <strong>{wordsOf(action.action_type)}</strong> <Prose text={action.reason.summary} />
            </li>
          ))}
        </ol>
      </ExpandableSection>
      <ExpandableSection toggleText="What was looked at">
        <AuditReportView report={preview.report} />
      </ExpandableSection>
    </section>
  );
}
