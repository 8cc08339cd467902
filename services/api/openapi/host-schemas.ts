import { type TSchema, Type } from 'typebox';
import { hostQuantities } from '#libs/domain';
import { component, strict, words } from './shared-schemas.ts';

const resources = {
  vcpus: Type.Number({ description: 'Shared CPUs, as Placement counts them.' }),
  dedicated_cpus: Type.Number({ description: 'CPUs of instances with dedicated ones.' }),
  memory: Type.Number({ description: 'MiB.' }),
  disk: Type.Number({ description: 'GiB.' }),
};
const instances = Type.Integer();
const percent = (description: string) => Type.Number({ description: `${description} In percent of the capacity.` });
const beforeAfter = { before: percent('Before the plan.'), after: percent('After the plan, as predicted.') };

const orNull = (name: string, description: string): TSchema =>
  Type.Unsafe({ anyOf: [component(name), { type: 'null' }], description });

/** Components that describe hosts before and after a plan. */
export const hostSchemas = [
  Type.Object(resources, { $id: 'HostResources', ...strict }),
  Type.Object(
    {
      instances,
      ...resources,
      enabled: Type.Boolean({ description: 'Whether the compute service of the host is enabled.' }),
      cpu_load: Type.Optional(Type.Number({ description: 'Measured CPU load in percent; absent if not measured.' })),
    },
    { $id: 'HostUse', ...strict },
  ),
  Type.Object({ instances, ...resources }, { $id: 'UnplacedInstances', ...strict }),
  Type.Object(
    {
      quantity: words(hostQuantities, 'Measured CPU load, or allocated memory, vCPUs or disk.'),
      deviation: Type.Object(beforeAfter, {
        description: 'Standard deviation over the enabled hosts, in points.',
        ...strict,
      }),
      highest_before: percent('Highest share of any host before the plan.'),
      fullest: Type.Object(
        { hostname: Type.String(), ...beforeAfter },
        { description: 'Host with the highest share after the plan.', ...strict },
      ),
    },
    { $id: 'SideEffect', description: 'Change of a quantity by a plan.', ...strict },
  ),
  Type.Object(
    {
      domain: Type.String({ description: 'Kind and name, such as `zone az1`.' }),
      change: words(['lost', 'gained'], 'Whether the reserve exists before the plan or after it.'),
    },
    { $id: 'ReserveChange', description: 'Reserve for the instances of any one failed host.', ...strict },
  ),
  Type.Object(
    {
      hostname: Type.String(),
      capacity: component('HostResources'),
      before: component('HostUse'),
      after: component('HostUse'),
      instances_in: Type.Integer({ description: 'Migrations to it.' }),
      instances_out: Type.Integer({ description: 'Migrations from it.' }),
    },
    { $id: 'HostBeforeAfter', ...strict },
  ),
  Type.Object(
    {
      hostname: Type.String(),
      capacity: orNull('HostResources', 'Capacity by ratios and reserves; null as `before`.'),
      before: orNull('HostUse', 'Use at the creation of the plan; null if not stored.'),
      after: orNull('HostUse', 'Use after the whole plan, predicted at its creation; null as `before`.'),
      so_far: orNull('HostUse', 'Use after the completed actions; null as `before`.'),
      today: orNull('HostUse', 'Use in the newest model of the cloud; null without a model or without the host.'),
      instances_in: Type.Integer({ description: 'Migrations to it.' }),
      instances_out: Type.Integer({ description: 'Migrations from it.' }),
    },
    { $id: 'PlanHost', ...strict },
  ),
];

/** Side effects of a plan. */
export const sideEffectsField: TSchema = Type.Unsafe({
  anyOf: [{ type: 'array', items: component('SideEffect') }, { type: 'null' }],
  description: 'Quantities that the plan worsens by a point or more; null if no hosts were stored.',
});

/** Failure domains whose reserve a plan changes. */
export const reserveChangesField: TSchema = Type.Unsafe({
  anyOf: [{ type: 'array', items: component('ReserveChange') }, { type: 'null' }],
  description: 'Failure domains that lose or gain their reserve; null if not stored.',
});

/** Improvements of a plan. */
export const improvementsField: TSchema = Type.Unsafe({
  anyOf: [{ type: 'array', items: component('SideEffect') }, { type: 'null' }],
  description: 'Quantities that the plan improves by a point or more; null as `side_effects`.',
});

/** Instances whose destination Nova chooses. `whenNull` explains a missing number. */
export function unplacedField(whenNull: string | null): TSchema {
  return whenNull === null ? component('UnplacedInstances') : orNull('UnplacedInstances', whenNull);
}
