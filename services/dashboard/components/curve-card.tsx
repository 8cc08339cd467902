import { Alert, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { AuditVariants } from '#libs/client';
import { ConfirmButton } from './confirm-button.tsx';
import { pathOf, placesOf, plot } from './curve-shape.ts';
import { PlanLink } from './links.tsx';
import { StateLabel } from './state-label.tsx';
import { durationText } from './time.tsx';

type Variant = AuditVariants['variants'][number];

interface CurveCardProps {
  variants: readonly Variant[];
  /** Makes a plan of so many migrations; without it nothing can be chosen. */
  plan?: ((budget: number) => Promise<unknown>) | undefined;
}

const rounded = (value: number) => Number(value.toFixed(1));

/** What plans of several sizes bring: a curve below the area that no plan can reach, and a table to choose from. */
export function CurveCard({ variants, plan }: CurveCardProps) {
  if (variants.length === 0) return null;
  return (
    <Card>
      <CardTitle component="h2">What more migrations would bring</CardTitle>
      <CardBody>
        <CurveDrawing variants={variants} />
        <Table aria-label="Plans of several sizes" variant="compact">
          <Thead>
            <Tr>
              <Th>Migrations</Th>
              <Th>Gained</Th>
              <Th modifier="wrap">No plan gains more than</Th>
              <Th>Memory</Th>
              <Th modifier="wrap">One after the other</Th>
              <Th>Plans</Th>
              <Th screenReaderText="Choose" />
            </Tr>
          </Thead>
          <Tbody>
            {variants.map((variant) => (
              <VariantRow key={variant.budget} variant={variant} plan={plan} />
            ))}
          </Tbody>
        </Table>
        <Alert
          isInline
          isPlain
          variant="info"
          title="Each size is a plan of its own, not the beginning of a larger one. Starting one cancels the others."
        />
      </CardBody>
    </Card>
  );
}

function VariantRow({ variant, plan }: Pick<CurveCardProps, 'plan'> & { variant: Variant }) {
  const { budget, moves, gib, seconds, value, bound, chosen, action_plans: plans } = variant;
  return (
    <Tr>
      <Td dataLabel="Migrations">
        {moves}
        {chosen && ' (proposed)'}
      </Td>
      <Td dataLabel="Gained">{rounded(100 - value)} %</Td>
      <Td dataLabel="No plan gains more than">{rounded(100 - bound)} %</Td>
      <Td dataLabel="Memory">{rounded(gib)} GiB</Td>
      <Td dataLabel="One after the other">{durationText(seconds)}</Td>
      <Td dataLabel="Plans">
        {plans.map(({ uuid, state }) => (
          <div key={uuid}>
            <PlanLink uuid={uuid} /> <StateLabel state={state} />
          </div>
        ))}
      </Td>
      <Td dataLabel="Choose">
        {plan && (
          <ConfirmButton
            label="Plan this one"
            title={`Plan ${moves} migrations?`}
            run={() => plan(budget)}
            done="The plan is made"
          >
            Its migrations are checked on the newest model; what is no longer possible or of use is left out. Nothing is
            started.
          </ConfirmButton>
        )}
      </Td>
    </Tr>
  );
}

/** For the eye only: the table has the numbers. */
function CurveDrawing({ variants }: Pick<CurveCardProps, 'variants'>) {
  const { reached, bounds } = placesOf(variants);
  const beyond = [...bounds, { x: plot.width, y: 0 }, { x: 0, y: 0 }];
  return (
    <svg className="vigil-curve" viewBox={`0 0 ${plot.width} ${plot.height}`} aria-hidden="true">
      <path className="vigil-curve-beyond" d={`${pathOf(beyond)} Z`} />
      <path className="vigil-curve-line" d={pathOf(reached)} />
      {reached.slice(1).map(({ x, y }, index) => (
        <circle
          key={variants[index]?.budget}
          className={variants[index]?.chosen ? 'vigil-curve-chosen' : 'vigil-curve-point'}
          cx={x}
          cy={y}
          r={5}
        />
      ))}
    </svg>
  );
}
