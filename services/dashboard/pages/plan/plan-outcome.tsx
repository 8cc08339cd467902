import { Content } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { type Indicator, type Measured, outcomeRows, planFacts, withUnits } from '#libs/client';
import { Effect } from '../../components/effect.tsx';
import { IndicatorList } from '../../components/efficacy.tsx';
import { Prose } from '../../components/prose.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { hasEnded } from '../../live/ended-entities.ts';
import type { LivePlan } from '../../live/live-entities.ts';
import { indicatorTitle } from '../../texts/api-names.ts';
import { richText } from '../../texts/rich-text.tsx';
import { language, text } from '../../texts/texts.ts';
import { PlanPromises } from './plan-promises.tsx';

/** Prediction of the plan, and the measurements before its first action and after its last. */
export function PlanOutcome({ plan }: { plan: LivePlan }) {
  const measured: Measured | null = plan.outcome?.outcome ?? null;
  const indicators: readonly Indicator[] = withUnits(plan.efficacy_indicators, plan.strategy_name);
  const rows = outcomeRows({ indicators, strategy: plan.strategy_name }, measured, language());
  return (
    <div className="vigil-stack">
      <TitledCard title={text('outcome.title')}>
        <Content component="p">
          <Effect measurement={measured?.measurement} hasEnded={hasEnded(plan.state)} />
        </Content>
        {rows.length > 0 && (
          <div className="vigil-scroll" data-testid="table-box">
            <Table aria-label={text('outcome.table')} variant="compact">
              <Thead>
                <Tr>
                  <Th>{text('outcome.measure')}</Th>
                  <Th modifier="wrap" className="vigil-number">
                    {text('outcome.planned')}
                  </Th>
                  <Th modifier="wrap" className="vigil-number">
                    {text('outcome.predicted')}
                  </Th>
                  <Th modifier="wrap" className="vigil-number">
                    {text('outcome.before')}
                  </Th>
                  <Th modifier="wrap" className="vigil-number">
                    {text('outcome.achieved')}
                  </Th>
                </Tr>
              </Thead>
              <Tbody>
                {rows.map((row) => (
                  <Tr key={row.title}>
                    <Td dataLabel={text('outcome.measure')}>{indicatorTitle(row.title)}</Td>
                    <Td dataLabel={text('outcome.planned')} className="vigil-number">
                      {row.planned}
                    </Td>
                    <Td dataLabel={text('outcome.predicted')} className="vigil-number">
                      {row.predicted}
                    </Td>
                    <Td dataLabel={text('outcome.before')} className="vigil-number">
                      {row.before}
                    </Td>
                    <Td dataLabel={text('outcome.achieved')} className="vigil-number">
                      <strong>{row.achieved}</strong>
                    </Td>
                  </Tr>
                ))}
              </Tbody>
            </Table>
          </div>
        )}
        {plan.outcome?.rollback_state && (
          <p>
            {richText('outcome.rollback', {
              state: <StateLabel state={plan.outcome.rollback_state} />,
              message: <Prose text={plan.outcome.rollback_message ?? ''} />,
            })}
          </p>
        )}
      </TitledCard>
      <PlanPromises promises={plan.outcome?.outcome?.promises} />
      <TitledCard title={text('outcome.numbers')}>
        <IndicatorList indicators={[...planFacts(indicators), ...plan.global_efficacy]} />
      </TitledCard>
    </div>
  );
}
