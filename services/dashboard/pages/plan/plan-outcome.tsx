import { Card, CardBody, CardTitle, Content, Grid, GridItem } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { ActionPlan, ActionPlanOutcome } from '#libs/client';
import { IndicatorList, numberText, wordsOf } from '../../components/efficacy.tsx';
import { StateLabel } from '../../components/state-label.tsx';

interface Measurement {
  goal?: Record<string, number | null>;
  cluster?: Record<string, number | null>;
}

/** What the plan promised, and what was measured before its first action and after its last. */
export function PlanOutcome({ plan, outcome }: { plan: ActionPlan; outcome: ActionPlanOutcome | undefined }) {
  return (
    <Grid hasGutter>
      <GridItem md={6}>
        <Card isFullHeight>
          <CardTitle component="h2">Predicted</CardTitle>
          <CardBody>
            <IndicatorList indicators={[...plan.global_efficacy, ...plan.efficacy_indicators]} />
          </CardBody>
        </Card>
      </GridItem>
      <GridItem md={6}>
        <Card isFullHeight>
          <CardTitle component="h2">Achieved</CardTitle>
          <CardBody>
            <Achieved outcome={outcome?.outcome ?? null} />
            {outcome?.rollback_state && (
              <Content component="p">
                Rollback <StateLabel state={outcome.rollback_state} /> {outcome.rollback_message}
              </Content>
            )}
          </CardBody>
        </Card>
      </GridItem>
    </Grid>
  );
}

function Achieved({ outcome }: { outcome: { before?: Measurement | null; after?: Measurement | null } | null }) {
  const before = { ...outcome?.before?.goal, ...outcome?.before?.cluster };
  const after = { ...outcome?.after?.goal, ...outcome?.after?.cluster };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (names.length === 0) return <p>Measured before the first action and after the last.</p>;
  const isWaiting = Object.keys(after).length === 0;
  return (
    <>
      {isWaiting && <p>The effect is measured some time after the last action.</p>}
      <Table aria-label="Measured before and after" variant="compact">
        <Thead>
          <Tr>
            <Th>Measured</Th>
            <Th>Before</Th>
            <Th>After</Th>
          </Tr>
        </Thead>
        <Tbody>
          {names.map((name) => (
            <Tr key={name}>
              <Td dataLabel="Measured">{wordsOf(name)}</Td>
              <Td dataLabel="Before">{numberText(before[name])}</Td>
              <Td dataLabel="After">
                <strong>{numberText(after[name])}</strong>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </>
  );
}
