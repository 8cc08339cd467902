import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { Link } from 'react-router';
import type { AuditVariants } from '#libs/client';
import { hasEnded } from '../live/ended-entities.ts';
import { text } from '../texts/texts.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { CurvePlot } from './curve-plot.tsx';
import { migrationTicks, pathOf, placesOf, plot } from './curve-shape.ts';
import { rangeText } from './duration-phrase.ts';
import { PlanLink } from './links.tsx';
import { gibText, numberText } from './number-text.ts';
import { StateLabel } from './state-label.tsx';
import { durationText } from './time.tsx';
import { TitledCard } from './titled-card.tsx';
import { Alert } from './worded-parts.tsx';

type Variant = AuditVariants['variants'][number];

/** Marks of the drawing. */
const marks = [
  ['vigil-curve-chosen', 'curve.markProposed'],
  ['vigil-curve-planned', 'curve.markPlanned'],
  ['vigil-curve-point', 'curve.markPossible'],
] as const;

interface CurveCardProps {
  variants: readonly Variant[];
  /**
   * Creates a plan with this number of migrations. Without it the table has no buttons. A size with a plan that has not
   * ended has a link to it instead.
   */
  plan?: ((budget: number) => Promise<unknown>) | undefined;
}

/** Gains of plans of several sizes: a curve below the area that no plan can reach, and a table to select from. */
export function CurveCard({ variants, plan }: CurveCardProps) {
  if (variants.length === 0) return null;
  return (
    <TitledCard title={text('curve.title')}>
      <CurveDrawing variants={variants} />
      <p className="vigil-curve-legend">
        {marks.map(([mark, meaning]) => (
          <span key={mark}>
            <svg viewBox="0 0 14 14" aria-hidden="true">
              <circle className={mark} cx={7} cy={7} r={5} />
            </svg>
            {text(meaning)}
          </span>
        ))}
      </p>
      <div className="vigil-scroll vigil-compared" data-testid="table-box">
        <Table aria-label={text('curve.label')} variant="compact">
          <Thead>
            <Tr>
              <Th modifier="wrap" className="vigil-number">
                {text('curve.migrations')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('curve.gain')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('curve.bound')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('column.memory')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('report.duration')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('curve.plans')}
              </Th>
              <Th screenReaderText={text('table.choose')} />
            </Tr>
          </Thead>
          <Tbody>
            {variants.map((variant) => (
              <VariantRow key={variant.budget} variant={variant} plan={plan} />
            ))}
          </Tbody>
        </Table>
      </div>
      <Alert isInline isPlain variant="info" title={text('curve.hint')} />
    </TitledCard>
  );
}

function VariantRow({ variant, plan }: Pick<CurveCardProps, 'plan'> & { variant: Variant }) {
  const { budget, moves, gib, seconds, duration, value, bound, chosen, action_plans: plans } = variant;
  const open = plans.find(({ state }) => !hasEnded(state));
  return (
    <Tr>
      <Td dataLabel={text('curve.migrations')} className="vigil-number">
        {moves}
        {chosen && ` ${text('curve.proposed')}`}
      </Td>
      <Td dataLabel={text('curve.gain')} className="vigil-number">
        {value > 100 ? `< ${numberText(0, '%')}` : numberText(100 - value, '%')}
      </Td>
      <Td dataLabel={text('curve.bound')} className="vigil-number">
        {numberText(100 - bound, '%')}
      </Td>
      <Td dataLabel={text('column.memory')} className="vigil-number">
        {gibText(gib * 1024)}
      </Td>
      <Td dataLabel={text('report.duration')} className="vigil-number">
        {duration ? rangeText(duration) : text('curve.oneByOne', { duration: durationText(seconds) })}
      </Td>
      <Td dataLabel={text('curve.plans')} className="vigil-number">
        {plans.map(({ uuid, state }) => (
          <div key={uuid}>
            <PlanLink uuid={uuid} /> <StateLabel state={state} />
          </div>
        ))}
      </Td>
      <Td dataLabel={text('table.choose')}>
        {open && <Link to={`/plans/${open.uuid}`}>{text('curve.openPlan')}</Link>}
        {plan && !open && (
          <ConfirmButton
            label={text('curve.plan')}
            title={text('curve.confirm', { count: moves })}
            run={() => plan(budget)}
            done={text('curve.created')}
          >
            {text('curve.confirmHint')}
          </ConfirmButton>
        )}
      </Td>
    </Tr>
  );
}

/** Filled: proposed by the audit. Half filled: has a plan today. */
function markOf(variant: Variant | undefined): string {
  if (variant?.chosen) return 'vigil-curve-chosen';
  return variant && variant.action_plans.length > 0 ? 'vigil-curve-planned' : 'vigil-curve-point';
}

function CurveDrawing({ variants }: Pick<CurveCardProps, 'variants'>) {
  const { reached, bounds } = placesOf(variants);
  const beyond = [...bounds, { x: plot.width, y: 0 }, { x: 0, y: 0 }];
  return (
    <CurvePlot across={text('curve.migrations')} ticks={migrationTicks(variants)} beyondHeight={plot.height}>
      <path className="vigil-curve-beyond" d={`${pathOf(beyond)} Z`} />
      <path className="vigil-curve-line" d={pathOf(reached)} />
      {reached.slice(1).map(({ x, y }, index) => (
        <circle key={variants[index]?.budget} className={markOf(variants[index])} cx={x} cy={y} r={5} />
      ))}
    </CurvePlot>
  );
}
