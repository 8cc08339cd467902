import { Card, CardBody, CardTitle, Content, Grid, GridItem } from '@patternfly/react-core';
import type { ActionPlan, ActionPlanOutcome } from '#libs/client';
import { IndicatorList, numberText, wordsOf } from '../../components/efficacy.tsx';
import { StateLabel } from '../../components/state-label.tsx';

interface Measured {
  name: string;
  unit?: string | null;
  predicted?: number | null;
  before?: number | null;
  after?: number | null;
  achieved?: number | null;
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

function Achieved({ outcome }: { outcome: Record<string, unknown> | null }) {
  if (!outcome) return <p>Measured when the plan has ended.</p>;
  return (
    <dl className="vigil-facts">
      {Object.entries(outcome).map(([name, value]) => (
        <div key={name}>
          <dt>{wordsOf(name)}</dt>
          <dd>{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function shown(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return value.map(shown).join('; ');
  if (typeof value === 'object' && value !== null) return shownObject(value as Record<string, unknown>);
  return String(value ?? '–');
}

function shownObject(value: Record<string, unknown>): string {
  const { name, unit, before, after } = value as unknown as Measured;
  if (typeof before === 'number' || typeof after === 'number')
    return `${name ? `${wordsOf(name)}: ` : ''}${numberText(before, unit)} → ${numberText(after, unit)}`;
  return Object.entries(value)
    .map(([key, inner]) => `${wordsOf(key).toLowerCase()} ${shown(inner)}`)
    .join(', ');
}
