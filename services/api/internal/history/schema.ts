import { Type } from 'typebox';
import { component } from '../../openapi/shared-schemas.ts';

const closed = { additionalProperties: false };
const column = (description: string) => Type.Array(Type.Number(), { description });
const moments = (description: string) =>
  Type.Array(Type.Integer(), { description: `${description}, seconds since 1970.` });

/** Components of the charts. */
export const historySchemas = [
  Type.Object(
    {
      metric: Type.String(),
      unit: Type.String(),
      at: moments('Beginning of each step'),
      values: column('Mean in the step.'),
    },
    { $id: 'MetricSeries', description: 'Steps without samples are absent.', ...closed },
  ),
  Type.Object(
    {
      resource: Type.String({ description: 'Host name, or uuid of an instance.' }),
      start: Type.Integer(),
      end: Type.Integer(),
      step: Type.Integer({ description: 'Seconds.' }),
      series: Type.Array(component('MetricSeries'), { description: 'In the order asked for.' }),
    },
    { $id: 'HistorySeries', ...closed },
  ),
  Type.Object(
    {
      metric: Type.String(),
      unit: Type.String(),
      step: Type.Integer({ description: 'Seconds.' }),
      at: moments('End of each step'),
      mean: column('Mean over the resources.'),
      deviation: column('Standard deviation over the resources: 0 is even.'),
      min: column('Least loaded resource.'),
      max: column('Most loaded resource.'),
      count: Type.Array(Type.Integer(), { description: 'Measured resources.' }),
    },
    { $id: 'HistorySpread', description: 'Columns of equal length; steps without samples are absent.', ...closed },
  ),
];
