import { Form } from '@patternfly/react-core';
import type { Strategy } from '#libs/client';
import { parameterPathTitle } from '../../components/parameter-texts.ts';
import { Nothing } from '../../components/states.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { text } from '../../texts/texts.ts';
import { type AuditForm, specOf } from './audit-form.ts';
import { FoldedParameterFields } from './parameter-fields.tsx';

interface ParametersStepProps {
  form: AuditForm;
  /** Undefined while Vigil chooses. */
  strategy: Strategy | undefined;
  /** Paths of parameters with a wrong value. */
  problems: readonly string[];
  onChange(form: AuditForm): void;
}

/** The step of the wizard with the parameters of the strategy and their problems. */
export function ParametersStep({ form, strategy, problems, onChange }: ParametersStepProps) {
  const spec = specOf(strategy);
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      {problems.length > 0 && (
        <Alert
          isInline
          variant="danger"
          title={text('wizard.problems', {
            count: problems.length,
            names: problems.map((path) => parameterPathTitle(path, spec)).join(', '),
          })}
        />
      )}
      {Object.keys(spec.properties ?? {}).length === 0 ? (
        <Nothing title={text('wizard.nothingToSet')}>
          {strategy ? text('wizard.noParameters') : text('wizard.vigilChooses')}
        </Nothing>
      ) : (
        <FoldedParameterFields
          key={form.strategy}
          id="parameter"
          spec={spec}
          values={form.parameters}
          onChange={(parameters) => onChange({ ...form, parameters })}
        />
      )}
    </Form>
  );
}
