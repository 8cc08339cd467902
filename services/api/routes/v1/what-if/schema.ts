import { Type } from 'typebox';
import { whatIfLimits, whatIfLosses, whatIfQuestions } from '#libs/domain';
import { whatIfSchemas } from '#libs/messaging';
import { optionalText, strict, words } from '../../../openapi/shared-schemas.ts';

const ratio = (description: string) =>
  Type.Optional(Type.Number({ minimum: whatIfLimits.ratio.least, maximum: whatIfLimits.ratio.most, description }));

/** Components of what-if questions and their responses. */
export const whatIfComponents = [
  Type.Object(
    {
      question: words(
        whatIfQuestions,
        'Hosts are lost, added or emptied (`remove`), instances placed or moved, or ratios changed.',
      ),
      kind: Type.Optional(words(whatIfLosses, 'Kind of the names, for `lose`: hosts, racks or zones.')),
      names: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
          maxItems: whatIfLimits.names,
          description: 'Names for `lose` and `remove`, at least one. Hosts for `ratio`; default: all.',
        }),
      ),
      count: Type.Optional(
        Type.Unsafe({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: whatIfLimits.placed,
          description: 'Hosts to `add` (at most 1,000), or instances to `place`; null: as many as fit.',
        }),
      ),
      like: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Host to copy, for `add`.' })),
      flavor: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'Name or id of the flavor, for `place`.' }),
      ),
      zone: optionalText('Availability zone for `place`; default: any.'),
      project_id: optionalText('Project of the instances, for `place`; default: the project of the caller.'),
      boot_from_volume: Type.Optional(
        Type.Boolean({ default: false, description: 'Whether the root disk is a volume, for `place`.' }),
      ),
      ratios: Type.Optional(
        Type.Object(
          {
            cpu: ratio('Allocation ratio of VCPU.'),
            memory: ratio('Allocation ratio of MEMORY_MB.'),
            disk: ratio('Allocation ratio of DISK_GB.'),
          },
          { ...strict, description: 'Allocation ratios for `ratio`, at least one.' },
        ),
      ),
      moves: Type.Optional(
        Type.Array(
          Type.Object(
            {
              instance: Type.String({
                minLength: 1,
                maxLength: 255,
                description: 'Uuid or unique name.',
              }),
              host: Type.String({ minLength: 1, maxLength: 255 }),
            },
            strict,
          ),
          {
            maxItems: whatIfLimits.moved,
            description: 'Moves for `move`, at least one; each is checked after the previous ones.',
          },
        ),
      ),
    },
    { $id: 'WhatIfRequest', ...strict },
  ),
  ...whatIfSchemas,
];
