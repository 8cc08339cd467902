import { Card, CardBody, CardTitle, Content } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { type Indicator, type Measured, outcomeRows } from '#libs/client';
import { IndicatorList, numberText } from '../../components/efficacy.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { wordsOf } from '../../components/words.ts';
import type { LivePlan } from '../../live/live-entities.ts';

/** What the plan promised, and what was measured before its first action and after its last. */
export function PlanOutcome({ plan }: { plan: LivePlan }) {
  const measured = (plan.outcome?.outcome ?? null) as Measured | null;
  const rows = outcomeRows(plan.efficacy_indicators as Indicator[], measured);
  return (
    <div className="vigil-stack">
      {plan.global_efficacy.length > 0 && (
        <Card>
          <CardTitle component="h2">Predicted for the goal</CardTitle>
          <CardBody>
            <IndicatorList indicators={plan.global_efficacy as Indicator[]} />
          </CardBody>
        </Card>
      )}
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
                    <Th>Predicted</Th>
                    <Th>Measured before</Th>
                    <Th>Measured after</Th>
                  </Tr>
                </Thead>
                <Tbody>
                  {rows.map((row) => (
                    <Tr key={row.name}>
                      <Td dataLabel="Measure">{wordsOf(row.name)}</Td>
                      <Td dataLabel="Predicted">{numberText(row.predicted, row.unit)}</Td>
                      <Td dataLabel="Measured before">{numberText(row.before, row.unit)}</Td>
                      <Td dataLabel="Measured after">
                        <strong>{numberText(row.after, row.unit)}</strong>
                      </Td>
                    </Tr>
                  ))}
                </Tbody>
              </Table>
            </div>
          )}
          {plan.outcome?.rollback_state && (
            <Content component="p">
              Rollback <StateLabel state={plan.outcome.rollback_state} /> {plan.outcome.rollback_message}
            </Content>
          )}
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
