import { Card, CardBody, CardTitle, Content } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { type Indicator, type Measured, outcomeRows, planFacts, withUnits } from '#libs/client';
import { IndicatorList } from '../../components/efficacy.tsx';
import { Prose } from '../../components/prose.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import type { LivePlan } from '../../live/live-entities.ts';

/** What the plan promised, and what was measured before its first action and after its last. */
export function PlanOutcome({ plan }: { plan: LivePlan }) {
  const measured: Measured | null = plan.outcome?.outcome ?? null;
  const indicators: readonly Indicator[] = withUnits(plan.efficacy_indicators, plan.strategy_name);
  const rows = outcomeRows(indicators, measured);
  return (
    <div className="vigil-stack">
      <Card>
        <CardTitle component="h2">Predicted and achieved</CardTitle>
        <CardBody>
          <Content component="p">{stageText(measured)}</Content>
          {rows.length > 0 && (
            <div className="vigil-scroll">
              <Table aria-label="Predicted and measured" variant="compact">
                <Thead>
                  <Tr>
                    <Th>Measure</Th>
                    <Th>When planned</Th>
                    <Th>Predicted</Th>
                    <Th>Measured before</Th>
                    <Th>Achieved</Th>
                  </Tr>
                </Thead>
                <Tbody>
                  {rows.map((row) => (
                    <Tr key={row.title}>
                      <Td dataLabel="Measure">{row.title}</Td>
                      <Td dataLabel="When planned">{row.planned}</Td>
                      <Td dataLabel="Predicted">{row.predicted}</Td>
                      <Td dataLabel="Measured before">{row.before}</Td>
                      <Td dataLabel="Achieved">
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
              Rollback <StateLabel state={plan.outcome.rollback_state} />{' '}
              <Prose text={plan.outcome.rollback_message ?? ''} />
            </p>
          )}
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">The plan in numbers</CardTitle>
        <CardBody>
          <IndicatorList indicators={[...planFacts(indicators), ...plan.global_efficacy]} />
        </CardBody>
      </Card>
    </div>
  );
}

function stageText(measured: Measured | null): string {
  if (measured?.after) return 'Measured before the first action and some time after the last.';
  if (measured?.before) return 'The effect is measured some time after the last action.';
  return 'The cloud is measured before the first action, and again some time after the last.';
}
